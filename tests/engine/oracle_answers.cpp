// What answers from beyond the SM do (rules 16, 18, 19).
#include "tests/engine/oracle_sm.hpp"

namespace smsim::test {

OracleWarp* OracleSm::find(std::uint64_t id) {
  for (OracleSub& sub : subs) {
    for (OracleWarp& warp : sub.warps) {
      if (warp.resident && warp.id == id) return &warp;
    }
  }
  return nullptr;
}

void OracleSm::answer(const OracleRequest& sent, std::uint64_t value) {
  const memory::Request& request = sent.request;
  const MemoryAccess& access = program().accesses[request.access];
  if (sent.counts_as_outstanding) outstanding_sectors_ -= request.sectors;
  OracleWarp* warp = find(sent.warp_id);
  if (warp == nullptr) return;
  if (access.queue_op == QueueOp::pop) {
    (access.pop_for_block ? blocks_[sent.block].ticket : warp->flow.ticket) = value;
  }
  if (access.queue_op == QueueOp::poll) {
    warp->flow.poll_satisfied = value >= awaited_value(program(), request.access, warp->flow);
  }
  if (request.back.scoreboard < kScoreboards) {
    --warp->scoreboards[request.back.scoreboard].answers_missing;
  }
}

void OracleSm::acknowledge_store(const OracleRequest& sent) {
  --blocks_[sent.block].stores_left;
}

void OracleSm::acknowledge_to_warp(const OracleRequest& sent) {
  OracleWarp* warp = find(sent.warp_id);
  if (warp != nullptr) --warp->unacknowledged;
}

}  // namespace smsim::test
