#include "sim/study/tune_questions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/tune_file.hpp"
#include "smsim/occupancy.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

class Asker {
 public:
  Asker(const TunePlan& plan, TuneRunner& runner, const TunePoint& best)
      : plan_(plan),
        runner_(runner),
        best_(best),
        prepared_(plan.loader->prepare(plan.point(*best.number))),
        gpu_(prepared_.gpu->spec),
        request_(block_request(prepared_.kernel.launch)),
        blocks_(occupancy(gpu_, request_).blocks_per_sm) {}

  std::vector<TuneQuestion> run() {
    next_block();
    register_slack();
    smem_slack();
    for (std::size_t axis = 0; axis < plan_.space.axes().size(); ++axis) largest_value(axis);
    return std::move(questions_);
  }

 private:
  void next_block() {
    TuneQuestion question;
    question.name = "registers_for_next_block";
    const int registers = max_registers_for(gpu_, request_, blocks_ + 1);
    if (registers <= 0) {
      question.answer = fmt::format(
          "Fewer registers make no room for a block beside the {} of an SM: the limit is {}.",
          blocks_, limit_besides_registers());
      questions_.push_back(std::move(question));
      return;
    }
    const int freed = request_.registers - registers;
    question.value = registers;
    question.change = -freed;
    question.blocks = blocks_ + 1;
    question.answer = fmt::format(
        "{} registers fewer ({} instead of {}) make room for block {} of "
        "an SM: {}.",
        freed, registers, request_.registers, blocks_ + 1, with_registers(registers, question));
    questions_.push_back(std::move(question));
  }

  std::string with_registers(int registers, TuneQuestion& question) {
    StudyPoint point = plan_.point(*best_.number);
    const auto is_registers = [](const StudyInput& input) {
      return input.first == "launch.registers";
    };
    for (auto* list : {&point.inputs, &point.fixed}) {
      list->erase(std::remove_if(list->begin(), list->end(), is_registers), list->end());
    }
    point.inputs.emplace_back("launch.registers", std::to_string(registers));
    const TunePoint tried = runner_.simulate(point);
    question.cycles = tried.cycles;
    if (!tried.cycles) return "but so it cannot run (" + tried.reason + ")";
    const double change = (*tried.cycles / *best_.cycles) - 1;
    return fmt::format("{} cycles, {:.1f} % {}{}", format_number(*tried.cycles),
                       100 * std::abs(change), change < 0 ? "fewer" : "more",
                       tried.spilled_bytes > 0
                           ? fmt::format(", with {} bytes a thread spilled", tried.spilled_bytes)
                           : "");
  }

  [[nodiscard]] std::string limit_besides_registers() const {
    BlockRequest free = request_;
    free.registers = 1;
    std::string text;
    for (const std::string& name : occupancy(gpu_, free).limiters) {
      text += (text.empty() ? "" : " and ") + name;
    }
    return text;
  }

  void register_slack() {
    TuneQuestion question;
    question.name = "register_slack";
    const int most = max_registers_for(gpu_, request_, blocks_);
    question.value = most;
    question.change = most - request_.registers;
    question.blocks = blocks_;
    question.answer =
        most > request_.registers
            ? fmt::format(
                  "A thread may use {} registers more ({} in all) before an "
                  "SM loses one of its {} blocks.",
                  most - request_.registers, most, blocks_)
            : fmt::format("One register more costs an SM one of its {} blocks.", blocks_);
    questions_.push_back(std::move(question));
  }

  void smem_slack() {
    TuneQuestion question;
    question.name = "smem_slack";
    const std::int64_t most = max_dynamic_smem_for(gpu_, request_, blocks_);
    const std::int64_t more = most - request_.smem_dynamic_bytes;
    question.value = request_.smem_static_bytes + most;
    question.change = more;
    question.blocks = blocks_;
    question.answer = fmt::format(
        "A block may use {} bytes of shared memory more ({} in all, {} now) before an "
        "SM loses one of its {} blocks.",
        format_number(static_cast<double>(more)),
        format_number(static_cast<double>(*question.value)),
        format_number(
            static_cast<double>(request_.smem_static_bytes + request_.smem_dynamic_bytes)),
        blocks_);
    questions_.push_back(std::move(question));
  }

  // Along an axis that changes the shared memory of a block: a tile.
  void largest_value(std::size_t axis) {
    const std::vector<std::size_t> extents = plan_.space.extents();
    std::vector<std::size_t> steps = steps_of(extents, *best_.number);
    const std::size_t at = steps[axis];
    std::size_t largest = at;
    bool of_memory = false;
    for (std::size_t step = at + 1; step < extents[axis]; ++step) {
      steps[axis] = step;
      const std::uint64_t number = number_of(extents, steps);
      if (!runner_.feasible(number)) continue;
      const PreparedPoint other = plan_.loader->prepare(plan_.point(number));
      const BlockRequest request = block_request(other.kernel.launch);
      of_memory = of_memory || smem_of(request) != smem_of(request_);
      if (occupancy(gpu_, request).blocks_per_sm >= blocks_) largest = step;
    }
    if (!of_memory) return;
    const TuneAxis& named = plan_.space.axes()[axis];
    TuneQuestion question;
    question.name = "largest_value";
    question.path = named.path;
    question.blocks = blocks_;
    if (const auto value = plain_number(named.values[largest])) {
      question.value = static_cast<std::int64_t>(*value);
    }
    question.answer =
        largest == at
            ? fmt::format("No larger value of {} keeps {} blocks on an SM.", named.path, blocks_)
            : fmt::format("{} can rise from {} to {} and an SM still holds {} blocks.", named.path,
                          named.values[at], named.values[largest], blocks_);
    questions_.push_back(std::move(question));
  }

  static std::int64_t smem_of(const BlockRequest& request) {
    return request.smem_static_bytes + request.smem_dynamic_bytes;
  }

  const TunePlan& plan_;
  TuneRunner& runner_;
  const TunePoint& best_;
  PreparedPoint prepared_;
  const GpuSpec& gpu_;
  BlockRequest request_;
  int blocks_;
  std::vector<TuneQuestion> questions_;
};

}  // namespace

std::vector<TuneQuestion> inverse_questions(const TunePlan& plan, TuneRunner& runner,
                                            const TunePoint& best) {
  return Asker(plan, runner, best).run();
}

}  // namespace smsim
