// What each warp state means, in one line.
#include <fmt/core.h>

#include "sim/metrics/metric_definition.hpp"

namespace smsim {
namespace {

constexpr std::array<const char*, kWarpStates> kDefinitions = {
    "waiting for the other warps of the block at a barrier",
    "waiting for the target of a branch",
    "ready, but the dispatcher held the instruction back",
    "exited, waiting for its stores to leave the SM before the slot is freed",
    "waiting for an asynchronous warp-group matrix multiply",
    "waiting for a constant that missed its cache",
    "the queue for global and local memory instructions is full",
    "waiting for data from global or local memory (L1, L2, DRAM)",
    "the execution pipe is busy",
    "waiting for a memory fence",
    "the queue for shared-memory and special instructions is full",
    "none of the others",
    "waiting for the next instruction: fetch or instruction-cache miss",
    "ready, but the scheduler chose another warp",
    "issued an instruction; 1 for every issue",
    "waiting for data from shared memory, special functions or another queued unit",
    "asleep by its own request",
    "the queue for texture instructions is full",
    "waiting a fixed number of cycles for an earlier instruction's result"};

}  // namespace

const char* stall_definition(WarpState state) {
  return kDefinitions[static_cast<std::size_t>(state)];
}

std::string stall_metric_name(WarpState state) {
  return fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio",
                     kWarpStateNames[static_cast<std::size_t>(state)]);
}

}  // namespace smsim
