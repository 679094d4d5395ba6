// Lines of a large text and the fields in them, scanned in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/import/accelsim_stream.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// One line after the other, through a buffer that bounds the length of a line.
class AccelsimLines {
 public:
  explicit AccelsimLines(const std::string& path);

  /// Goes on to the next line; false at the end. Lines before it are gone.
  bool next() {
    if (again_) {
      again_ = false;
      return true;
    }
    return advance();
  }
  /// Lets next() give the same line once more.
  void give_back() { again_ = true; }
  /// Without its '\n', which lies right behind it, so that a scanner needs no other bound.
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// True once the last line was read and had no '\n'.
  [[nodiscard]] bool unended() const { return unended_; }
  /// True after the end of a compressed file that is cut off.
  [[nodiscard]] bool cut() const { return source_->cut(); }

  [[noreturn]] void fail(const std::string& message, int column = 1) const;

 private:
  bool advance();
  bool refill();

  std::string file_;
  std::unique_ptr<TextSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was not yet read
  std::size_t end_ = 0;
  std::string_view text_;
  int number_ = 0;
  bool again_ = false;
  bool unended_ = false;
};

/// The blank-separated fields of the line that `lines` is at. What does not fit is reported with
/// its column: "found 'x', expected ...".
class AccelsimFields {
 public:
  explicit AccelsimFields(const AccelsimLines& lines)
      : lines_(lines), at_(lines.text().data()), end_(at_ + lines.text().size()) {}

  /// True at the end of the line.
  bool done() {
    skip_blanks();
    return at_ == end_;
  }
  /// The next field, "" at the end of the line.
  std::string_view word() {
    skip_blanks();
    const char* const begin = at_;
    while (!is_blank(*at_) && at_ != end_) {
      ++at_;
    }
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  std::string_view peek() {
    const char* const at = at_;
    const std::string_view next = word();
    at_ = at;
    return next;
  }
  /// The rest of the line, which is taken as a whole.
  std::string_view rest() {
    const char* const begin = at_;
    at_ = end_;
    return {begin, static_cast<std::size_t>(end_ - begin)};
  }

  std::uint64_t hexadecimal(const char* expected, std::uint64_t most);
  std::uint64_t decimal(const char* expected, std::uint64_t most);
  /// From -2^63 to 2^64 - 1, the upper half wrapped: tracers print either sign.
  std::int64_t signed_decimal(const char* expected);

  /// The rest of the line as "x,y,z", in parentheses or not.
  Dim3 triple(const char* expected);

  [[noreturn]] void fail(std::string_view found, const std::string& expected) const;

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (is_blank(*at_)) {
      ++at_;
    }
  }
  [[nodiscard]] bool ends_here() const { return at_ == end_ || is_blank(*at_); }
  // Digits up to a value of `most`; false when there are none, too many or other characters.
  bool digits(std::uint64_t most, std::uint64_t& value);
  // Of a field that began at `begin` and is no such number.
  [[noreturn]] void fail_field(const char* begin, const char* expected);

  const AccelsimLines& lines_;
  const char* at_;
  const char* end_;
};

/// A field as messages show it: shortened, without control characters.
std::string shown(std::string_view field);

/// What is doubtful: each kind once, with the line where it was first met and how often.
class AccelsimWarnings {
 public:
  explicit AccelsimWarnings(std::string file) : file_(std::move(file)) {}

  /// `kind` tells kinds apart. A line that was counted is not counted again, so that a file may be
  /// read several times. Line 0 is the file as a whole.
  void add(std::string_view kind, int line, std::string_view message);
  const std::vector<Diagnostic>& list();

 private:
  struct Kind {
    std::string name;
    std::string message;
    int first_line;
    int last_line;
    std::uint64_t count;
  };

  std::string file_;
  std::vector<Kind> kinds_;
  std::vector<Diagnostic> list_;
};

}  // namespace smsim
