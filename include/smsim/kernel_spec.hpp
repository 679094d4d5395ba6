// A kernel and its launch: what `simulate` takes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "smsim/program.hpp"
#include "smsim/trace.hpp"

namespace smsim {

struct Dim3 {
  std::uint64_t x = 1;
  std::uint64_t y = 1;
  std::uint64_t z = 1;
  [[nodiscard]] std::uint64_t count() const { return x * y * z; }
};

struct LaunchSpec {
  Dim3 grid;
  Dim3 block;          // threads; 1..1024 in all
  int registers = 32;  // per thread, 1..255
  int smem_static_bytes = 0;
  int smem_dynamic_bytes = 0;
  std::optional<int>
      smem_config_bytes;     // shared-memory split in force; unset: the driver's choice is modelled
  int cluster = 1;           // blocks per cluster
  bool cooperative = false;  // all blocks must be resident at once
  int barriers = 0;          // named barriers that a block uses (0: as if 1)
  bool warm_caches = false;  // default: L1 and L2 start flushed and clean
  std::uint64_t seed = 1;
};

struct KernelSpec {
  std::string name;
  LaunchSpec launch;
  Program program;
  // Arithmetic done by all threads, for the roofline; 0 when unknown.
  double flops_per_thread_hint = 0;
  std::vector<std::string> notes;  // what the front end assumed
  // What every block did, when it is known: all flow of the program is then Flow::recorded, and
  // the caches are looked up by address.
  std::shared_ptr<TraceSource> trace;
  std::string trace_file;  // where it is to be read from; "" without
};

}  // namespace smsim
