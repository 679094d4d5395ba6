// A study: one kernel (or several), and what is varied about it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace smsim {

/// One dimension of a study. Zipped axes have several names, and a value of each in every step.
struct StudyAxis {
  std::vector<std::string> names;                // "params.n", "launch.block", "gpu", "scheduler"
  std::vector<std::vector<std::string>> values;  // by step, by name
};

/// A value that follows from the others.
struct StudyFormula {
  std::string name;
  std::string text;  // an expression; "launch.block * 2"
  int line = 0;      // in the study's file, from 1
  int column = 0;
};

struct StudySpec {
  std::string name;
  std::string file;
  std::vector<std::pair<std::string, std::string>> fixed;  // set at every point
  std::vector<StudyAxis> axes;                             // the first changes slowest
  std::vector<StudyFormula> derived;
  std::vector<StudyFormula> conditions;  // points where one is 0 are left out
  std::vector<std::string> keep;         // metrics; empty: all
  std::uint64_t max_cycles = 0;          // of each run; 0: no limit
};

/// Names of a study that do not belong to the kernel file.
inline constexpr const char* kKernelAxis = "kernel";
inline constexpr const char* kGpuAxis = "gpu";
inline constexpr const char* kSchedulerAxis = "scheduler";
inline constexpr const char* kSeedAxis = "seed";

/// What a study's database keeps of every point besides its inputs and metrics.
inline constexpr const char* kPointColumns[] = {"key",    "number", "fingerprint", "status",
                                                "reason", "bound",  "summary",     "smsim_version"};

}  // namespace smsim
