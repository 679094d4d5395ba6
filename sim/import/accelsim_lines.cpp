#include "sim/import/accelsim_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

namespace smsim {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

AccelsimLines::AccelsimLines(const std::string& path)
    : file_(path), source_(open_text(path)), buffer_(kLongestLine) {}

bool AccelsimLines::advance() {
  const void* found = nullptr;
  while ((found = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_)) == nullptr) {
    if (refill()) {
      continue;
    }
    if (begin_ == end_) {
      return false;
    }
    unended_ = true;
    buffer_[end_++] = '\n';
  }
  const char* const begin = buffer_.data() + begin_;
  text_ = {begin, static_cast<std::size_t>(static_cast<const char*>(found) - begin)};
  begin_ += text_.size() + 1;
  number_ += number_ < std::numeric_limits<int>::max() ? 1 : 0;
  return true;
}

// Room for the '\n' that an unended last line gets is left at the end.
bool AccelsimLines::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ + 1 == buffer_.size()) {
    ++number_;
    fail(fmt::format("found a line of more than {} bytes, expected a trace", end_));
  }
  const std::size_t count = source_->read(buffer_.data() + end_, buffer_.size() - end_ - 1);
  end_ += count;
  return count > 0;
}

void AccelsimLines::fail(const std::string& message, int column) const {
  throw InputError(std::vector<Diagnostic>{{file_, number_, column, message}});
}

bool AccelsimFields::digits(std::uint64_t most, std::uint64_t& value) {
  const char* const begin = at_;
  value = 0;
  for (; *at_ >= '0' && *at_ <= '9'; ++at_) {
    const auto digit = static_cast<std::uint64_t>(*at_ - '0');
    if (digit > most || value > (most - digit) / 10) {
      return false;
    }
    value = value * 10 + digit;
  }
  return at_ != begin && ends_here();
}

std::uint64_t AccelsimFields::hexadecimal(const char* expected, std::uint64_t most) {
  skip_blanks();
  const char* const begin = at_;
  if (at_[0] == '0' && (at_[1] == 'x' || at_[1] == 'X')) {
    at_ += 2;
  }
  const char* const first = at_;
  std::uint64_t value = 0;
  for (int digit = hex_digit(*at_); digit >= 0; digit = hex_digit(*++at_)) {
    if (value > most >> 4) {
      fail_field(begin, expected);
    }
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
  if (at_ == first || !ends_here() || value > most) {
    fail_field(begin, expected);
  }
  return value;
}

std::uint64_t AccelsimFields::decimal(const char* expected, std::uint64_t most) {
  skip_blanks();
  const char* const begin = at_;
  std::uint64_t value = 0;
  if (!digits(most, value)) {
    fail_field(begin, expected);
  }
  return value;
}

std::int64_t AccelsimFields::signed_decimal(const char* expected) {
  skip_blanks();
  const char* const begin = at_;
  const bool negative = *at_ == '-';
  at_ += negative ? 1 : 0;
  const std::uint64_t most =
      negative ? std::uint64_t{1} << 63 : std::numeric_limits<std::uint64_t>::max();
  std::uint64_t value = 0;
  if (!digits(most, value)) {
    fail_field(begin, expected);
  }
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

Dim3 AccelsimFields::triple(const char* expected) {
  skip_blanks();
  const std::string_view all = rest();
  const char* at = all.data();
  Dim3 found;
  bool good = true;
  const auto take = [&](char c) {
    while (is_blank(*at)) {
      ++at;
    }
    const bool taken = *at == c;
    at += taken ? 1 : 0;
    return taken;
  };
  const bool enclosed = take('(');
  for (std::uint64_t* part : {&found.x, &found.y, &found.z}) {
    good = good && (part == &found.x || take(','));
    take(' ');
    const auto [end, error] = std::from_chars(at, end_, *part);
    good = good && error == std::errc();
    at = end;
  }
  good = good && (!enclosed || take(')'));
  take(' ');
  if (!good || at != end_) {
    fail(all, expected);
  }
  return found;
}

void AccelsimFields::fail_field(const char* begin, const char* expected) {
  at_ = begin;
  fail(word(), expected);
}

void AccelsimFields::fail(std::string_view found, const std::string& expected) const {
  const std::string what = found.empty() ? "the end of the line" : "'" + shown(found) + "'";
  lines_.fail(fmt::format("found {}, expected {}", what, expected),
              static_cast<int>(found.data() - lines_.text().data()) + 1);
}

std::string shown(std::string_view field) {
  constexpr std::size_t kLongest = 60;
  std::string text(field.substr(0, kLongest));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return field.size() > kLongest ? text + "..." : text;
}

void AccelsimWarnings::add(std::string_view kind, int line, std::string_view message) {
  const auto known = std::find_if(kinds_.begin(), kinds_.end(),
                                  [kind](const Kind& one) { return one.name == kind; });
  if (known == kinds_.end()) {
    kinds_.push_back({std::string(kind), std::string(message), line, line, 1});
  } else if (line > known->last_line) {
    known->last_line = line;
    ++known->count;
  }
}

const std::vector<Diagnostic>& AccelsimWarnings::list() {
  list_.clear();
  for (const Kind& kind : kinds_) {
    const std::string often = kind.count > 1 ? fmt::format(" ({} lines)", kind.count) : "";
    list_.push_back({file_, kind.first_line, kind.first_line > 0 ? 1 : 0, kind.message + often});
  }
  return list_;
}

}  // namespace smsim
