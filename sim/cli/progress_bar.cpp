#include "sim/cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr std::size_t kWidth = 30;
constexpr std::chrono::milliseconds kInterval{100};
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

ProgressBar::ProgressBar(std::string title)
    : title_(std::move(title)),
      visible_(isatty(fileno(stderr)) != 0),
      begin_(std::chrono::steady_clock::now()),
      next_(begin_ + kInterval) {}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    fmt::print(stderr, "{}", kClearLine);
    std::fflush(stderr);
  }
}

void ProgressBar::update(std::uint64_t blocks_done, std::uint64_t blocks, std::uint64_t cycle) {
  draw(blocks_done, blocks, "cycle " + format_number(static_cast<double>(cycle)));
}

void ProgressBar::update_count(std::uint64_t done, std::uint64_t all) {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin_;
  if (!first_count_) first_count_ = done;
  const auto more = static_cast<double>(done - *first_count_);
  std::string what = fmt::format("{} of {}", done, all);
  if (more > 0 && since.count() > 1) {
    const double rate = more / since.count();
    what += fmt::format(", {:.1f} a second, {:.0f} s left", rate,
                        static_cast<double>(all - done) / rate);
  }
  draw(done, all, what);
}

void ProgressBar::draw(std::uint64_t done, std::uint64_t all, const std::string& what) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now < next_ || all == 0) {
    return;
  }
  next_ = now + kInterval;
  drawn_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(all);
  const auto filled = static_cast<std::size_t>(share * kWidth);
  fmt::print(stderr, "{}{:.24} [{}{}] {:.0f} %, {}", kClearLine, title_, std::string(filled, '#'),
             std::string(kWidth - filled, ' '), 100 * share, what);
  std::fflush(stderr);
}

}  // namespace smsim::cli
