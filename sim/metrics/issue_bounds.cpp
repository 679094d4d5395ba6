#include <algorithm>

#include "sim/metrics/bounds.hpp"

namespace smsim {
namespace {

struct PipeRow {
  Pipe pipe;
  const char* name;
  const char* meaning;
};

constexpr PipeRow kPipes[] = {
    {Pipe::alu, "pipe_alu", "the integer and logic pipe"},
    {Pipe::fp64, "pipe_fp64", "the double-precision pipe"},
    {Pipe::xu, "pipe_xu", "the pipe for special functions and conversions"},
    {Pipe::tensor, "pipe_tensor", "the tensor pipe"},
    {Pipe::uniform, "pipe_uniform", "the uniform datapath"},
    {Pipe::branch, "pipe_branch", "the branch unit"},
};

// The last instruction may keep its pipe busy beyond the end of the run.
double longest_interval(const Program& program) {
  int longest = 1;
  for (const Instruction& code : program.code) {
    longest = std::max<int>(longest, code.issue_interval_cycles);
  }
  return 2.0 * longest;  // a half of the FMA pipe takes twice the interval of the whole
}

class BoundList {
 public:
  BoundList(const MetricInputs& in, std::vector<Bound>& bounds)
      : schedulers_(static_cast<double>(in.total.schedulers)),
        overhang_(longest_interval(in.kernel.program)),
        bounds_(bounds) {}

  void add(const char* name, double busiest, double sum, const char* meaning) {
    bounds_.push_back(
        make_bound(name, busiest - overhang_, sum / schedulers_ - overhang_, meaning));
  }

 private:
  double schedulers_;
  double overhang_;
  std::vector<Bound>& bounds_;
};

void add_pipes(const MetricInputs& in, std::vector<Bound>& bounds) {
  const Totals& t = in.total;
  BoundList list(in, bounds);
  list.add("pipe_fma", t.fma_busy_max, fma_busy(t.pipe_busy), "both halves of the FMA pipe");
  list.add("pipe_fma_heavy", t.fma_heavy_busy_max, fma_heavy_busy(t.pipe_busy),
           "the heavy half of the FMA pipe (integer multiply-add, half precision)");
  for (const PipeRow& row : kPipes) {
    const auto i = static_cast<std::size_t>(row.pipe);
    list.add(row.name, static_cast<double>(t.pipe_busy_max[i]), static_cast<double>(t.pipe_busy[i]),
             row.meaning);
  }
}

}  // namespace

void add_issue_bounds(const MetricInputs& in, std::vector<Bound>& bounds) {
  if (in.total.schedulers == 0) {
    return;
  }
  const double mean =
      static_cast<double>(in.total.issued) / static_cast<double>(in.total.schedulers);
  bounds.push_back(make_bound("issue", static_cast<double>(in.total.issued_max), mean,
                              "one instruction per scheduler and cycle"));
  add_pipes(in, bounds);
}

}  // namespace smsim
