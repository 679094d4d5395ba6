// Arithmetic in configuration files: "ceil(n / block)", "4 * KiB", "min(a, b) + 1".
//
// Numbers, names (also dotted: gpu.sms), + - * / % ^, comparisons (1 or 0), parentheses, and the
// functions abs ceil choose floor log2 max min pow round sqrt. `choose(c, a, b)` is a where c is
// not 0, else b. A value is a sum of constant x name: names that a scope leaves open stay in the
// result.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// constant + sum of factor x name.
struct LinearForm {
  double constant = 0;
  std::map<std::string, double> terms;
  bool is_number() const { return terms.empty(); }
};

/// What names mean.
struct ExpressionScope {
  std::map<std::string, double> values;
  bool open = false;  // other names stay in the result; otherwise they are errors
};

struct ExpressionError {
  std::string message;  // "found ..., expected ..."
  int column = 0;       // from 0, within the text
};

/// Evaluates `text`; on an error returns nullopt and fills `error`. Results are finite.
std::optional<LinearForm> evaluate(std::string_view text, const ExpressionScope& scope,
                                   ExpressionError& error);

/// Names that `text` mentions, functions left out.
std::set<std::string> names_in(std::string_view text);

/// "n", "gpu.sms": could this be a name?
bool is_name(std::string_view text);

}  // namespace smsim
