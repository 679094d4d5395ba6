#include "sim/config/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "sim/config/suggest.hpp"

namespace smsim {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxLength = 2000;

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Failure {
  ExpressionError error;
};

using Arguments = std::vector<double>;

struct Function {
  std::string_view name;
  std::size_t least;  // arguments
  std::size_t most;
  double (*apply)(const Arguments& x);
};

constexpr Function kFunctions[] = {
    {"abs", 1, 1, [](const Arguments& x) { return std::abs(x[0]); }},
    {"ceil", 1, 1, [](const Arguments& x) { return std::ceil(x[0]); }},
    {"choose", 3, 3, [](const Arguments& x) { return x[0] != 0 ? x[1] : x[2]; }},
    {"floor", 1, 1, [](const Arguments& x) { return std::floor(x[0]); }},
    {"log2", 1, 1, [](const Arguments& x) { return std::log2(x[0]); }},
    {"max", 1, 16, [](const Arguments& x) { return *std::max_element(x.begin(), x.end()); }},
    {"min", 1, 16, [](const Arguments& x) { return *std::min_element(x.begin(), x.end()); }},
    {"pow", 2, 2, [](const Arguments& x) { return std::pow(x[0], x[1]); }},
    {"round", 1, 1, [](const Arguments& x) { return std::round(x[0]); }},
    {"sqrt", 1, 1, [](const Arguments& x) { return std::sqrt(x[0]); }}};

// Recursive descent; throws Failure, which evaluate() catches.
class Parser {
 public:
  Parser(std::string_view text, const ExpressionScope& scope) : text_(text), scope_(scope) {}

  LinearForm run() {
    if (text_.size() > kMaxLength) {
      fail(fmt::format("found an expression of {} characters, expected at most {}", text_.size(),
                       kMaxLength));
    }
    LinearForm value = comparison();
    skip_spaces();
    if (at_ < text_.size()) {
      fail(fmt::format("found '{}', expected an operator or the end", rest()));
    }
    check_finite(value, 0);
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { fail(message, at_); }
  [[noreturn]] static void fail(const std::string& message, std::size_t at) {
    throw Failure{{message, static_cast<int>(at)}};
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
      ++at_;
    }
  }
  std::string rest() const {
    constexpr std::size_t kShown = 12;
    return std::string(text_.substr(at_, kShown));
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  LinearForm comparison() {
    const std::size_t begin = at_;
    LinearForm left = sum();
    for (const std::string_view token : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (take(token)) {
        const double a = number(left, begin);
        const double b = number(sum(), begin);
        const bool holds = token == "<="   ? a <= b
                           : token == ">=" ? a >= b
                           : token == "==" ? a == b
                           : token == "!=" ? a != b
                           : token == "<"  ? a < b
                                           : a > b;
        return {holds ? 1.0 : 0.0, {}};
      }
    }
    return left;
  }

  LinearForm sum() {
    LinearForm value = product();
    while (true) {
      if (take("+")) {
        add(value, product(), 1);
      } else if (take("-")) {
        add(value, product(), -1);
      } else {
        return value;
      }
    }
  }

  static void add(LinearForm& value, const LinearForm& other, double factor) {
    value.constant += factor * other.constant;
    for (const auto& [name, amount] : other.terms) {
      value.terms[name] += factor * amount;
    }
  }

  LinearForm product() {
    LinearForm value = unary();
    while (true) {
      const std::size_t begin = at_;
      if (take("*")) {
        value = multiply(value, unary(), begin);
      } else if (take("/")) {
        const double divisor = number(unary(), begin);
        if (divisor == 0) {
          fail("found a division by zero, expected another divisor", begin);
        }
        scale(value, 1 / divisor, divisor);
      } else if (take("%")) {
        const double divisor = number(unary(), begin);
        if (divisor == 0) {
          fail("found a remainder by zero, expected another divisor", begin);
        }
        value = {std::fmod(number(value, begin), divisor), {}};
      } else {
        return value;
      }
    }
  }

  static void scale(LinearForm& value, double factor, double divisor) {
    value.constant /= divisor;
    for (auto& [name, amount] : value.terms) {
      amount *= factor;
    }
  }

  LinearForm multiply(const LinearForm& a, const LinearForm& b, std::size_t at) const {
    if (!a.is_number() && !b.is_number()) {
      fail(
          "found a product of two values that only the running program knows, expected a constant "
          "factor: compute it with an operation such as IMAD",
          at);
    }
    LinearForm value = a.is_number() ? b : a;
    const double factor = a.is_number() ? a.constant : b.constant;
    value.constant *= factor;
    for (auto& [name, amount] : value.terms) {
      amount *= factor;
    }
    return value;
  }

  LinearForm unary() {
    if (take("-")) {
      LinearForm value = unary();
      return multiply(value, {-1, {}}, at_);
    }
    if (take("+")) {
      return unary();
    }
    return power();
  }

  // Binds tighter than a sign, and to the right.
  LinearForm power() {
    const std::size_t begin = at_;
    LinearForm base = primary();
    if (take("^")) {
      LinearForm value{std::pow(number(base, begin), number(unary(), begin)), {}};
      check_finite(value, begin);
      return value;
    }
    return base;
  }

  LinearForm primary() {
    if (++depth_ > kMaxDepth) {
      fail(fmt::format("found parentheses nested more than {} deep, expected fewer", kMaxDepth));
    }
    skip_spaces();
    LinearForm value;
    if (at_ >= text_.size()) {
      fail("found the end, expected a number or a name");
    } else if (take("(")) {
      value = comparison();
      if (!take(")")) {
        fail("found no ')', expected one");
      }
    } else if (is_digit(text_[at_]) || text_[at_] == '.') {
      value = {literal(), {}};
    } else if (starts_name(text_[at_])) {
      value = named();
    } else {
      fail(fmt::format("found '{}', expected a number, a name or '('", rest()));
    }
    --depth_;
    return value;
  }

  // 0x1f: bit patterns of masks and hashes.
  double hexadecimal() {
    const std::size_t begin = at_;
    at_ += 2;
    const std::size_t end =
        std::min(text_.find_first_not_of("0123456789abcdefABCDEF", at_), text_.size());
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + end, value, 16);
    if (error != std::errc() || stop != text_.data() + end || value > (std::uint64_t{1} << 53U)) {
      fail(fmt::format("found '{}', expected a hexadecimal number up to 2^53",
                       text_.substr(begin, end - begin)),
           begin);
    }
    at_ = end;
    return static_cast<double>(value);
  }

  double literal() {
    if (text_.substr(at_, 2) == "0x") {
      return hexadecimal();
    }
    std::string digits;
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool exponent_sign = (c == '+' || c == '-') && !digits.empty() &&
                                 (digits.back() == 'e' || digits.back() == 'E');
      if (!is_digit(c) && c != '.' && c != '_' && c != 'e' && c != 'E' && !exponent_sign) {
        break;
      }
      if (c != '_') {
        digits += c;
      }
      ++at_;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      fail(fmt::format("found '{}', expected a number", text_.substr(begin, at_ - begin)), begin);
    }
    return value;
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (starts_name(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  LinearForm named() {
    const std::size_t begin = at_;
    const std::string word = name();
    if (take("(")) {
      return call(word, begin);
    }
    if (const auto value = scope_.values.find(word); value != scope_.values.end()) {
      return {value->second, {}};
    }
    if (scope_.open) {
      return {0, {{word, 1}}};
    }
    std::vector<std::string> known;
    known.reserve(scope_.values.size());
    for (const auto& [other, value] : scope_.values) {
      known.push_back(other);
    }
    fail(fmt::format("found unknown name '{}', expected a parameter or a number{}", word,
                     did_you_mean(word, known)),
         begin);
  }

  LinearForm call(const std::string& word, std::size_t begin) {
    const auto* const function =
        std::find_if(std::begin(kFunctions), std::end(kFunctions),
                     [&word](const Function& f) { return f.name == word; });
    if (function == std::end(kFunctions)) {
      std::vector<std::string> known;
      known.reserve(std::size(kFunctions));
      for (const Function& f : kFunctions) {
        known.emplace_back(f.name);
      }
      fail(fmt::format("found unknown function '{}', expected one of {}{}", word,
                       fmt::join(known, ", "), did_you_mean(word, known)),
           begin);
    }
    std::vector<double> arguments;
    do {
      const std::size_t at = at_;
      arguments.push_back(number(comparison(), at));
    } while (take(",") && arguments.size() < function->most + 1);
    if (!take(")")) {
      fail("found no ')', expected one");
    }
    if (arguments.size() < function->least || arguments.size() > function->most) {
      fail(fmt::format("found {} arguments of '{}', expected {}", arguments.size(), word,
                       function->least == function->most
                           ? std::to_string(function->least)
                           : fmt::format("{} to {}", function->least, function->most)),
           begin);
    }
    LinearForm value{function->apply(arguments), {}};
    check_finite(value, begin);
    return value;
  }

  double number(const LinearForm& value, std::size_t at) const {
    if (!value.is_number()) {
      fail(fmt::format("found '{}', which only the running program knows, expected a number here",
                       value.terms.begin()->first),
           at);
    }
    return value.constant;
  }

  static void check_finite(const LinearForm& value, std::size_t at) {
    bool finite = std::isfinite(value.constant);
    for (const auto& [name, amount] : value.terms) {
      finite = finite && std::isfinite(amount);
    }
    if (!finite) {
      fail("found a result that is not a finite number, expected one", at);
    }
  }

  std::string_view text_;
  const ExpressionScope& scope_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<LinearForm> evaluate(std::string_view text, const ExpressionScope& scope,
                                   ExpressionError& error) {
  try {
    return Parser(text, scope).run();
  } catch (const Failure& failure) {
    error = failure.error;
    return std::nullopt;
  }
}

std::set<std::string> names_in(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    if (!starts_name(text[at])) {
      at += is_digit(text[at])
                ? std::max<std::size_t>(1, text.find_first_not_of("0123456789.eE_", at) - at)
                : 1;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && (starts_name(text[at]) || is_digit(text[at]) || text[at] == '.')) {
      ++at;
    }
    const std::size_t next = text.find_first_not_of(" \t\n", at);
    if (next == std::string_view::npos || text[next] != '(') {
      names.emplace(text.substr(begin, at - begin));
    }
  }
  return names;
}

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return starts_name(c) || is_digit(c) || c == '.';
  });
}

}  // namespace smsim
