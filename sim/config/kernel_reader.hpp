// Reads one kernel file into a KernelSource. One class, spread over the files kernel_*.cpp by
// theme.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/config/diagnostics.hpp"
#include "sim/config/expression.hpp"
#include "sim/config/kernel_overrides.hpp"
#include "sim/kernel/source.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim {

class KernelReader {
 public:
  KernelReader(std::string file, const GpuSpec& gpu, Diagnostics& problems);

  /// The kernel of a document; what is wrong with it goes to the diagnostics.
  KernelSource read(const YAML::Node& document, const std::vector<Override>& overrides);
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  static constexpr int kMostNested = 24;              // bodies inside bodies
  static constexpr std::size_t kMostWritten = 32768;  // statements, repeats written out

  // One mapping under a schema: the keys that it may have are asked for, the rest is reported.
  class Keys {
   public:
    Keys(KernelReader& reader, const YAML::Node& node, std::string what);
    std::optional<YAML::Node> find(const std::string& key);
    std::optional<YAML::Node> require(const std::string& key);
    void finish();

   private:
    KernelReader& reader_;
    YAML::Node node_;
    std::string what_;
    std::vector<std::string> asked_;
  };

  // kernel_values.cpp: numbers, texts, problems.
  void error(const YAML::Node& node, const std::string& message, int column = 0);
  std::optional<double> number(const YAML::Node& node, double min, double max);
  std::optional<std::int64_t> whole(const YAML::Node& node, std::int64_t min, std::int64_t max);
  template <class Int>
  Int whole_or(const std::optional<YAML::Node>& node, std::int64_t min, std::int64_t max,
               Int fallback) {
    const auto value = node ? whole(*node, min, max) : std::nullopt;
    return value ? static_cast<Int>(*value) : fallback;
  }
  std::optional<bool> boolean(const YAML::Node& node);
  std::optional<std::string> word(const YAML::Node& node);
  std::optional<std::string> choice(const YAML::Node& node,
                                    const std::vector<std::string>& choices);
  std::optional<std::string> new_name(const YAML::Node& node);
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;  // one past the end
  };
  std::optional<Range> range(const YAML::Node& node);
  Distribution distribution(const YAML::Node& node);
  static SourcePosition position(const YAML::Node& node);

  // kernel_launch.cpp: parameters, launch, and what overrides of the launch mean.
  void read_params(const YAML::Node& document);
  void read_launch(const YAML::Node& document, const std::vector<Override>& overrides);
  void read_resources(const YAML::Node& document);
  bool profiled_split_holds(const YAML::Node& document, const YAML::Node& node);
  std::optional<int> shared_memory_split(const YAML::Node& node);
  Dim3 dimensions(const YAML::Node& node, std::int64_t most_x, std::int64_t most_yz);
  Dim3 read_dimensions(const YAML::Node& document, const char* key, Dim3 fallback);
  void override_block(const YAML::Node& document, const Override& change);
  void override_grid(const YAML::Node& document, const Override& change);
  void set_parameter_behind(const YAML::Node& document, const char* key, const Override& change);
  void publish_launch();
  void note(std::string text) { notes_.push_back(std::move(text)); }
  double scale_of(const YAML::Node& node) const;

  // kernel_declarations.cpp: arrays, queues, flags.
  void read_declarations(const YAML::Node& document);
  void read_arrays(const YAML::Node& node);
  void read_array(const std::string& name, const YAML::Node& node);
  void read_size(const YAML::Node& node, ArraySource& array);
  void read_synchronisation(Keys& keys);
  void read_tasks(const YAML::Node& node);
  void read_named(const YAML::Node& node,
                  const std::function<void(const std::string&, const YAML::Node&)>& read);
  void check_shared_memory(const YAML::Node& document);

  // kernel_listing.cpp: machine code instead of a program.
  void read_listing(const YAML::Node& node);
  void read_line(const YAML::Node& node);
  void read_architecture(const YAML::Node& node);
  void read_line_numbers(const YAML::Node& node, sass::SassLine& line);
  std::optional<Route> route(Keys& keys, const YAML::Node& node);

  // kernel_statements.cpp, kernel_access.cpp, kernel_control.cpp, kernel_sync.cpp: the program.
  Body body(const YAML::Node& node);
  void statements(const YAML::Node& node, Body& into);
  std::optional<Statement> statement(const YAML::Node& node);
  std::optional<Statement> keyword(const std::string& name, const YAML::Node& key,
                                   const YAML::Node& node);
  std::optional<Statement::What> operation(const std::string& result, const YAML::Node& key,
                                           const YAML::Node& node);
  std::optional<AccessSource> access(Keys& keys, const std::string& family, const YAML::Node& node);
  void read_pattern(Keys& keys, PatternSource& pattern);
  void read_atomic(Keys& keys, AccessSource& access);
  void read_copy(Keys& keys, const std::string& family, AccessSource& access);
  const ArraySource* find_array(const YAML::Node& node);
  std::vector<ValueSource> values(const YAML::Node& node);
  std::optional<ValueSource> value(const YAML::Node& node);
  IndexSource index(const YAML::Node& node);
  ConditionSource condition(Keys& keys, const YAML::Node& node);
  ConditionSource comparison(const YAML::Node& node);
  ConditionSource last_ticket(const YAML::Node& node);
  ConditionSource two_dimensional(const YAML::Node& node, const std::string& text,
                                  const Condition& first, const Condition& second);
  std::optional<Condition> compare(const YAML::Node& node, const std::string& text);
  std::optional<Statement::What> for_statement(const YAML::Node& node);
  std::optional<Statement::What> tasks_statement(Keys& keys, const YAML::Node& tasks);
  TripCount trips(const YAML::Node& node);
  void repeat(const YAML::Node& node, Body& into);
  void write_out(const YAML::Node& node, const std::vector<std::pair<std::string, int>>& indices,
                 std::size_t level, Body& into);
  std::string expand(const std::string& name) const;
  Statement::What if_statement(const YAML::Node& node);
  Statement::What barrier_statement(const YAML::Node& node);
  Statement::What flag_statement(const YAML::Node& node, bool signal);
  FlagSource flag(Keys& keys, const YAML::Node& node);
  Statement::What cas_statement(const YAML::Node& node);
  Statement::What ticket_statement(const YAML::Node& node);
  std::optional<Statement::What> cluster_statement(const YAML::Node& node);

  std::string file_;
  const GpuSpec& gpu_;
  Diagnostics& problems_;
  OverriddenNodes overridden_;
  ExpressionScope scope_;
  std::map<std::string, std::set<std::string>> parameters_behind_;  // what each one is made of
  KernelSource kernel_;
  std::vector<std::string> notes_;
  std::set<std::string> repeat_indices_;  // of the repeats around the statement being read
  std::set<std::string> reported_;        // a repeated body has each problem once
  std::size_t written_ = 0;               // statements so far, repeated ones counted each time
  int depth_ = 0;                         // nesting of statements
  YAML::Mark statement_mark_;             // of the statement being read
  double grid_scale_ = 1;           // blocks of the launch / blocks that the file would launch
  std::string coupled_;             // parameter that a changed launch also set
  bool split_given_ = false;        // by an override
  bool resources_changed_ = false;  // by overrides of the launch
  bool shares_work_ = false;        // grid-stride or task loops: the total stays
};

}  // namespace smsim
