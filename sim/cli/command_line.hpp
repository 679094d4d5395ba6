// Options of one subcommand: Boost.Program_options underneath, smsim's messages on top.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/commands.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim::cli {

class CommandLine {
 public:
  /// `usage` is what follows "smsim", `about` one or two sentences, `examples` whole lines.
  CommandLine(std::string usage, std::string about, std::string examples);

  /// An option that takes a value, "--name VALUE".
  CommandLine& value(const std::string& name, const std::string& placeholder,
                     const std::string& help);
  /// An option that is there or not.
  CommandLine& flag(const std::string& name, const std::string& help);
  /// At most this many inputs without a dash (default: none).
  CommandLine& inputs(std::size_t at_most);

  /// Parses; false when --help was asked for and printed. Throws InputError.
  bool parse(const Arguments& arguments);

  const std::vector<std::string>& inputs() const { return inputs_; }
  bool has(const std::string& name) const { return values_.count(name) > 0; }
  /// The last value given, or `fallback`.
  std::string text(const std::string& name, const std::string& fallback) const;
  /// Every value given, in order.
  std::vector<std::string> texts(const std::string& name) const;

  // Typed values; a wrong one is remembered, and thrown with all others by finish().
  std::int64_t integer(const std::string& name, std::int64_t fallback, std::int64_t min,
                       std::int64_t max);
  std::string choice(const std::string& name, const std::string& fallback,
                     const std::vector<std::string>& choices);
  /// One value of an option that may be repeated, held against its choices.
  void choice_of(const std::string& name, const std::string& found,
                 const std::vector<std::string>& choices);
  /// Options that mean nothing beside the others given, which is better said than ignored:
  /// "--name: expected with WHERE".
  void refuse(const std::vector<std::string>& names, const std::string& where);
  /// Any other problem of the command line.
  void problem(const std::string& message);
  void problem(const Diagnostic& problem);
  /// Throws InputError when anything was wrong.
  void finish() const;

 private:
  void print_help() const;
  std::vector<std::string> option_names() const;

  std::string usage_;
  std::string about_;
  std::string examples_;
  std::size_t max_inputs_ = 0;
  boost::program_options::options_description options_{"Options", 80};
  boost::program_options::variables_map values_;
  std::vector<std::string> inputs_;
  std::vector<Diagnostic> problems_;
};

}  // namespace smsim::cli
