// smsim step: one SM under the microscope, forwards and backwards.
//
// The kernel is simulated once with a timeline; stepping only moves a cursor through it, so that
// going back costs nothing. Where the cursor leaves what was kept, the kernel is simulated again
// with another window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"
#include "smsim/result.hpp"

namespace smsim::cli {

class StepSession {
 public:
  StepSession(const GpuSpec& gpu, const KernelSpec& kernel, SimulateOptions options,
              std::uint32_t sm);

  /// What is to be seen first.
  [[nodiscard]] std::string greeting();
  /// Carries out one line ("issue", "why 0.3", "back 10") and returns what to print.
  std::string command(const std::string& line);
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  [[nodiscard]] const Result& result() const { return result_; }

 private:
  struct Issue {
    std::uint64_t cycle = 0;
    std::uint8_t scheduler = 0;
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
    std::uint32_t pc = 0;
    friend bool operator==(const Issue&, const Issue&) = default;
  };
  struct Now {  // a warp at the cursor
    const WarpStay* stay = nullptr;
    const WarpInterval* interval = nullptr;
  };

  [[nodiscard]] Result simulate_from(std::uint64_t from, const std::string& policy) const;
  void keep_around(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t end() const;
  [[nodiscard]] const Timeline& timeline() const { return *result_.timeline; }
  [[nodiscard]] std::vector<Now> warps_now() const;
  [[nodiscard]] std::string instruction(std::uint32_t pc) const;
  [[nodiscard]] static std::vector<Issue> issues_of(const Timeline& timeline);

  std::string move_to(std::uint64_t cycle);
  // The first cycle after the cursor at which a warp is in this state; a warp: only that one.
  [[nodiscard]] std::optional<std::uint64_t> next_cycle_in(WarpState state,
                                                           const std::string& warp) const;
  std::string until_issue(const std::string& warp);
  std::string until_state(const std::string& name);
  std::string go_back(std::uint64_t cycles);
  std::string why(const std::string& warp);
  std::string draw();
  std::string change_policy(const std::string& name);
  std::string choose_scheduler(std::uint64_t scheduler);
  [[nodiscard]] std::string show() const;
  [[nodiscard]] static std::string help();

  const GpuSpec& gpu_;
  const KernelSpec& kernel_;
  SimulateOptions options_;
  std::uint32_t sm_;
  Result result_;
  std::uint64_t cycle_ = 0;
  std::uint8_t scheduler_ = 0;
  std::vector<std::uint64_t> visited_;  // where the cursor was, for going back
  bool finished_ = false;
};

}  // namespace smsim::cli
