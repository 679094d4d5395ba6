// The hot loop: one sub-partition, cycle by cycle while a warp can issue, from event to event
// otherwise.
#pragma once

#include <string>

#include "sim/engine/sub_partition.hpp"

namespace smsim::engine {

// Runs `sub` up to `limit`, or less far where it comes to depend on what the SM has not decided
// yet.
using AdvanceFunction = void (*)(const Context& context, SubPartition& sub, Cycle limit,
                                 std::uint64_t* block_tickets);

// The loop compiled for one policy; throws std::invalid_argument for an unknown name.
AdvanceFunction advance_for(const std::string& policy);

}  // namespace smsim::engine
