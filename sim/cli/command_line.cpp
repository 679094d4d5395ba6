#include "sim/cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <charconv>
#include <sstream>
#include <utility>

#include "sim/config/suggest.hpp"
#include "sim/report/text_writer.hpp"

namespace smsim::cli {

namespace po = boost::program_options;

namespace {

// Values are kept as text: our own reading names what was found and what was expected.
po::typed_value<std::vector<std::string>>* text_value(const std::string& placeholder) {
  return po::value<std::vector<std::string>>()->composing()->value_name(placeholder);
}

// Abbreviated options would change their meaning whenever an option is added.
constexpr int kStyle =
    po::command_line_style::default_style & ~po::command_line_style::allow_guessing;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

CommandLine::CommandLine(std::string usage, std::string about, std::string examples)
    : usage_(std::move(usage)), about_(std::move(about)), examples_(std::move(examples)) {
  flag("help", "print this help");
}

CommandLine& CommandLine::value(const std::string& name, const std::string& placeholder,
                                const std::string& help) {
  options_.add_options()(name.c_str(), text_value(placeholder), help.c_str());
  return *this;
}

CommandLine& CommandLine::flag(const std::string& name, const std::string& help) {
  options_.add_options()(name.c_str(), help.c_str());
  return *this;
}

CommandLine& CommandLine::inputs(std::size_t at_most) {
  max_inputs_ = at_most;
  return *this;
}

bool CommandLine::parse(const Arguments& arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end()) {
    print_help();
    return false;
  }
  // Inputs land in an option that the help does not show.
  po::options_description all;
  all.add(options_);
  all.add_options()("input", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("input", -1);
  try {
    po::store(
        po::command_line_parser(arguments).options(all).positional(positional).style(kStyle).run(),
        values_);
  } catch (const po::unknown_option& error) {
    const std::string name = error.get_option_name();
    throw InputError(fmt::format("found unknown option '{}', expected one of {}{}", name,
                                 fmt::join(option_names(), ", "),
                                 did_you_mean(name, option_names())));
  } catch (const po::error& error) {
    throw InputError(std::string(error.what()));
  }
  inputs_ = texts("input");
  if (inputs_.size() > max_inputs_) {
    throw InputError(fmt::format("found '{}', expected {}", inputs_[max_inputs_],
                                 max_inputs_ == 0 ? "options only"
                                 : max_inputs_ == 1
                                     ? "one input at most"
                                     : fmt::format("{} inputs at most", max_inputs_)));
  }
  return true;
}

std::string CommandLine::text(const std::string& name, const std::string& fallback) const {
  return has(name) ? texts(name).back() : fallback;
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::int64_t CommandLine::integer(const std::string& name, std::int64_t fallback, std::int64_t min,
                                  std::int64_t max) {
  if (!has(name)) {
    return fallback;
  }
  const std::string found = text(name, "");
  std::int64_t read = 0;
  const char* end = found.data() + found.size();
  const auto [stop, error] = std::from_chars(found.data(), end, read);
  if (error != std::errc() || stop != end || read < min || read > max) {
    problem(
        fmt::format("--{}: found '{}', expected an integer from {} to {}", name, found, min, max));
    return fallback;
  }
  return read;
}

std::string CommandLine::choice(const std::string& name, const std::string& fallback,
                                const std::vector<std::string>& choices) {
  std::string found = text(name, fallback);
  choice_of(name, found, choices);
  return found;
}

void CommandLine::choice_of(const std::string& name, const std::string& found,
                            const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), found) == choices.end()) {
    problem(fmt::format("--{}: found '{}', expected one of {}{}", name, found,
                        fmt::join(choices, ", "), did_you_mean(found, choices)));
  }
}

void CommandLine::refuse(const std::vector<std::string>& names, const std::string& where) {
  for (const std::string& name : names) {
    if (has(name)) {
      problem(fmt::format("--{}: expected with {}", name, where));
    }
  }
}

void CommandLine::problem(const std::string& message) {
  problems_.push_back({"", 0, 0, message});
}

void CommandLine::problem(const Diagnostic& problem) {
  problems_.push_back(problem);
}

void CommandLine::finish() const {
  if (!problems_.empty()) {
    throw InputError(problems_);
  }
}

void CommandLine::print_help() const {
  std::ostringstream options;
  options << options_;
  TextWriter out;
  out.paragraph("usage: smsim " + usage_, "", "    ");
  out.line();
  for (const std::string& paragraph : lines_of(about_)) {
    out.paragraph(paragraph);
  }
  out.line();
  for (const std::string& line : lines_of(options.str())) {
    out.line(line);  // without the blanks that Boost leaves where it wraps
  }
  fmt::print("{}\nExamples:\n{}", out.take(), examples_);
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const auto& option : options_.options()) {
    names.push_back("--" + option->long_name());
  }
  return names;
}

}  // namespace smsim::cli
