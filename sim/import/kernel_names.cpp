#include "sim/import/kernel_names.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace smsim {

namespace {

using Tokens = std::vector<std::string>;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '@';
}

bool is_number(const std::string& token) {
  return !token.empty() && std::isdigit(static_cast<unsigned char>(token[0])) != 0;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// "{lambda(int)#2}" and "[lambda(int) (instance 2)]" become "@lambda2".
void shorten_lambdas(std::string& text, char open, char close, std::string_view counter) {
  const std::string begin = open + std::string("lambda");
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    int depth = 0;
    std::size_t end = at;
    for (; end < text.size(); ++end) {
      depth += text[end] == open ? 1 : text[end] == close ? -1 : 0;
      if (depth == 0) {
        break;
      }
    }
    const std::string inside = text.substr(at, end - at);
    const std::size_t number = inside.rfind(counter);
    std::string digits;
    for (std::size_t i = number == std::string::npos ? inside.size() : number + counter.size();
         i < inside.size() && std::isdigit(static_cast<unsigned char>(inside[i])) != 0; ++i) {
      digits += inside[i];
    }
    text.replace(at, end + 1 - at, "@lambda" + digits);
  }
}

std::string one_spelling_of_unnamed(std::string text) {
  for (const std::string_view anonymous : {"(anonymous namespace)", "<unnamed>", "{anonymous}",
                                           "_NV_ANON_NAMESPACE", "`anonymous-namespace'"}) {
    replace_all(text, anonymous, "@unnamed");
  }
  shorten_lambdas(text, '{', '}', "#");
  shorten_lambdas(text, '[', ']', "instance ");
  return text.substr(0, text.find(" [clone"));
}

Tokens tokens_of(const std::string& text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at])) {
      while (end < text.size() && is_word(text[end])) {
        ++end;
      }
    } else if (text.compare(at, 2, "::") == 0) {
      end = at + 2;
    }
    if (text[at] != ' ') {
      tokens.push_back(text.substr(at, end - at));
    }
    at = end;
  }
  return tokens;
}

// "256u" and "true" are spelt 256 and 1.
void simplify_literals(Tokens& tokens) {
  for (std::string& token : tokens) {
    if (is_number(token)) {
      token.erase(std::find_if(token.begin(), token.end(),
                               [](char c) { return c == 'u' || c == 'l' || c == 'U' || c == 'L'; }),
                  token.end());
    } else if (token == "true") {
      token = "1";
    } else if (token == "false") {
      token = "0";
    }
  }
}

// "(int)256" and "(ns::Mode)3" lose the cast: a parenthesis that follows '<' or ',' and precedes a
// number.
void drop_casts(Tokens& tokens) {
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i] != "(" || (tokens[i - 1] != "<" && tokens[i - 1] != ",")) {
      continue;
    }
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    const auto close = std::find(begin, tokens.end(), ")");
    if (close == tokens.end() || close + 1 == tokens.end()) {
      continue;
    }
    const bool negative = *(close + 1) == "-" && close + 2 != tokens.end();
    if (is_number(negative ? *(close + 2) : *(close + 1))) {
      tokens.erase(begin, close + 1);
    }
  }
}

bool is_inline_namespace(const std::string& name) {
  return name == "__cxx11" || (name.size() > 2 && name.compare(0, 2, "__") == 0 &&
                               std::all_of(name.begin() + 2, name.end(),
                                           [](unsigned char c) { return std::isdigit(c) != 0; }));
}

void drop_inline_namespaces(Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (is_inline_namespace(tokens[i]) && tokens[i + 1] == "::") {
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                   tokens.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      --i;
    }
  }
}

bool ends_type(const std::string& token) {
  return token == "*" || token == "&" || token == "," || token == ")" || token == "(" ||
         token == ">" || token == "[" || token == "const" || token == "volatile";
}

// "const float *" becomes "float const *": a qualifier before a type moves behind it.
void move_qualifiers(Tokens& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool leads =
        i == 0 || tokens[i - 1] == "(" || tokens[i - 1] == "<" || tokens[i - 1] == ",";
    if (!leads || (tokens[i] != "const" && tokens[i] != "volatile")) {
      continue;
    }
    std::size_t end = i + 1;
    for (int depth = 0; end < tokens.size() && (depth > 0 || !ends_type(tokens[end])); ++end) {
      depth += tokens[end] == "<" ? 1 : tokens[end] == ">" ? -1 : 0;
    }
    std::rotate(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                tokens.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

std::string joined(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty() && is_word(text.back()) && is_word(token[0])) {
      text += ' ';
    }
    text += token;
  }
  return text;
}

// Without parameters, template arguments and namespaces: "saxpy" of "ns::saxpy<256>(int)".
struct ShortName {
  std::string qualified;  // "ns::saxpy"
  std::string arguments;  // "<256>" or ""
  bool has_parameters = false;
};

ShortName short_name(const std::string& normalised) {
  ShortName out;
  int depth = 0;
  std::size_t end = 0;
  std::size_t arguments = std::string::npos;
  for (; end < normalised.size(); ++end) {
    const char c = normalised[end];
    if (depth == 0 && c == '(') {
      out.has_parameters = true;
      break;
    }
    if (c == '<' && depth++ == 0) {
      arguments = end;
    }
    depth -= c == '>' ? 1 : 0;
    if (depth == 0 && c == ':') {
      arguments = std::string::npos;  // those of a class, not the kernel's
    }
  }
  const std::string name = normalised.substr(0, end);
  out.qualified = name.substr(0, arguments);
  out.arguments = arguments == std::string::npos ? "" : name.substr(arguments);
  return out;
}

bool ends_with_name(const std::string& qualified, const std::string& name) {
  return qualified == name ||
         (qualified.size() > name.size() + 2 &&
          qualified.compare(qualified.size() - name.size(), name.size(), name) == 0 &&
          qualified.compare(qualified.size() - name.size() - 2, 2, "::") == 0);
}

// What is said of both must agree; what only one says is not held against it.
bool may_be_same(const std::string& a, const std::string& b) {
  const ShortName left = short_name(a);
  const ShortName right = short_name(b);
  if (left.has_parameters && right.has_parameters) {
    return a == b;
  }
  const bool names_agree = ends_with_name(left.qualified, right.qualified) ||
                           ends_with_name(right.qualified, left.qualified);
  return names_agree &&
         (left.arguments == right.arguments || left.arguments.empty() || right.arguments.empty());
}

}  // namespace

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  // A short plain name may be a mangled type, "f" for float: only functions are wanted.
  return status == 0 && text != nullptr && name.compare(0, 2, "_Z") == 0 ? text.get() : name;
}

std::string normalised_kernel_name(std::string_view name) {
  Tokens tokens = tokens_of(one_spelling_of_unnamed(demangled(std::string(name))));
  if (tokens.size() > 1 && tokens[0] == "void") {  // what every kernel returns
    tokens.erase(tokens.begin());
  }
  simplify_literals(tokens);
  drop_casts(tokens);
  drop_inline_namespaces(tokens);
  move_qualifiers(tokens);
  return joined(tokens);
}

bool same_kernel(std::string_view name, std::string_view other, bool loosely) {
  const std::string a = normalised_kernel_name(name);
  const std::string b = normalised_kernel_name(other);
  return a == b || (loosely && may_be_same(a, b));
}

std::vector<std::size_t> matching_functions(std::string_view name,
                                            const std::vector<SassFunction>& functions) {
  for (const bool loosely : {false, true}) {  // the exact name wins
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (same_kernel(name, functions[i].mangled_name, loosely)) {
        found.push_back(i);
      }
    }
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

}  // namespace smsim
