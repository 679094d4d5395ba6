// How far apart two instructions must be.
#include <algorithm>

#include "sim/kernel/control_codes.hpp"

namespace smsim::sass {

namespace {

enum class PipeGroup : std::uint8_t { alu, fma, fp64, tensor, xu, uniform, memory, other };

PipeGroup group_of(Pipe pipe) {
  switch (pipe) {
    case Pipe::alu:
      return PipeGroup::alu;
    case Pipe::fma:
    case Pipe::fma_heavy:
    case Pipe::fma_both:
      return PipeGroup::fma;
    case Pipe::fp64:
      return PipeGroup::fp64;
    case Pipe::tensor:
      return PipeGroup::tensor;
    case Pipe::xu:
      return PipeGroup::xu;
    case Pipe::uniform:
      return PipeGroup::uniform;
    case Pipe::lsu:
    case Pipe::adu:
    case Pipe::tma:
      return PipeGroup::memory;
    default:
      return PipeGroup::other;
  }
}

}  // namespace

int spacing(const Draft& earlier, const Draft& later) {
  constexpr int kMemory = 4;
  constexpr int kUniformAfterSpecial = 7;
  constexpr int kConstantLoad = 8;
  const int interval = earlier.timing.issue_interval_cycles;
  if (earlier.timing.pipe == Pipe::lsu) {
    return std::max(interval, kMemory);
  }
  if (later.mnemonic.rfind("LDC", 0) == 0) {
    return std::max(interval, kConstantLoad);
  }
  return later.mnemonic == "S2UR" ? std::max(interval, kUniformAfterSpecial) : interval;
}

int required_distance(const Draft& producer, RegisterFile file, const Draft& consumer, Role role,
                      const DependenceSpec& dependence) {
  const int latency = producer.timing.latency_cycles;
  if (file == RegisterFile::predicate && role == Role::guard) {
    return dependence.predicate_to_guard_cycles;
  }
  const PipeGroup from = group_of(producer.timing.pipe);
  const PipeGroup to = group_of(consumer.timing.pipe);
  if (file == RegisterFile::uniform) {
    return latency + (to == PipeGroup::uniform ? 0 : dependence.uniform_to_vector_extra_cycles);
  }
  if (role == Role::memory || to == PipeGroup::memory) {
    // Results of the long pipes pass by where others need an extra cycle (ptxas: DFMA 8, but 7 to
    // a store; HMMA 24, but 23).
    const bool long_pipe = from == PipeGroup::fp64 || from == PipeGroup::tensor;
    return latency + (long_pipe ? -1 : dependence.to_memory_extra_cycles);
  }
  return latency + (from == to ? 0 : dependence.cross_pipe_extra_cycles);
}

}  // namespace smsim::sass
