// A GPU with the latencies that ptxas believes of sm_90, for tests of the assembler.
#pragma once

#include "smsim/gpu_spec.hpp"

namespace smsim::test {

inline GpuSpec sm90() {
  GpuSpec gpu;
  gpu.name = "test_sm90";
  gpu.topology.sms = 132;
  gpu.compute_capability = {9, 0};
  gpu.limits.max_warps = 64;
  gpu.limits.max_blocks = 32;
  const auto fixed = [&gpu](const char* family, Pipe pipe, int interval, int latency) {
    gpu.operations[family] = {pipe, interval, latency, false};
  };
  const auto variable = [&gpu](const char* family, Pipe pipe, int interval, int latency) {
    gpu.operations[family] = {pipe, interval, latency, true};
  };
  for (const char* family : {"FFMA", "FADD", "FMUL"}) {
    fixed(family, Pipe::fma, 1, 4);
  }
  fixed("IMAD", Pipe::fma_heavy, 2, 4);
  for (const char* family : {"IADD3", "LOP3", "SHF", "PRMT", "SEL", "MOV", "ISETP", "VOTE"}) {
    fixed(family, Pipe::alu, 2, 4);
  }
  fixed("HFMA2", Pipe::fma_both, 2, 4);
  fixed("DFMA", Pipe::fp64, 2, 8);
  fixed("HMMA", Pipe::tensor, 8, 24);
  fixed("UIADD3", Pipe::uniform, 1, 4);
  fixed("UIMAD", Pipe::uniform, 1, 4);
  fixed("ULDC", Pipe::uniform, 1, 2);
  variable("MUFU", Pipe::xu, 8, 18);
  variable("POPC", Pipe::xu, 8, 18);
  variable("FLO", Pipe::xu, 8, 18);
  for (const char* family :
       {"LDG", "STG", "LDS", "STS", "ATOMG", "ATOMS", "RED", "SHFL", "LDGSTS", "LDL", "STL"}) {
    variable(family, Pipe::lsu, 4, 30);
  }
  for (const char* family : {"S2R", "S2UR", "LDC"}) {
    variable(family, Pipe::adu, 2, 25);
  }
  variable("UBLKCP", Pipe::tma, 4, 40);
  gpu.operations["HGMMA"] = {Pipe::tensor, 32, 64, true};
  return gpu;
}

}  // namespace smsim::test
