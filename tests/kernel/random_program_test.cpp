// Random programs: loops, branches, loads, long and short latencies, few and many registers.
// Whatever comes out, no consumer may come too early.
#include <random>

#include "tests/catch.hpp"
#include "tests/kernel/hazard_checker.hpp"
#include "tests/kernel/source_builder.hpp"
#include "tests/kernel/test_gpu.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

class RandomSource {
 public:
  explicit RandomSource(unsigned seed) : random_(seed) {}

  KernelSource make() {
    KernelSource source = kernel_source(4, 32U << below(4));
    names_ = {"v0", "v1", "v2"};
    for (const std::string& name : names_) {
      source.body.push_back(op(name, "MOV", {"tid"}));
    }
    const Body rest = body(3, 4 + below(12));
    source.body.insert(source.body.end(), rest.begin(), rest.end());
    source.body.push_back(store("STG", "A", "i", value()));
    if (below(3) == 0) {
      source.registers = 14 + static_cast<int>(below(20));
    }
    return source;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string value() { return names_[below(static_cast<unsigned>(names_.size()))]; }
  std::string result() {
    if (below(2) == 0 && names_.size() < 24) {
      names_.push_back("v" + std::to_string(names_.size()));
      return names_.back();
    }
    return value();
  }

  Body body(int depth, unsigned length) {
    Body made;
    const std::vector<std::string> outside = names_;
    for (unsigned step = 0; step < length; ++step) {
      made.push_back(any(depth));
    }
    names_ = depth < 3 ? outside : names_;  // what is set in a branch may not be set behind it
    return made;
  }

  Statement any(int depth) {
    switch (below(depth > 0 ? 16 : 11)) {
      case 0:
        return load_any();
      case 1:
        return store(below(2) == 0 ? "STG" : "STS", "?", "i", value());
      case 2:
        return arithmetic("MUFU.EX2", 1);
      case 3:
        return arithmetic("SHFL.BFLY", 1);
      case 4:
        return arithmetic("IMAD", 3);
      case 5:
        return load_any();
      case 6:
        return compare();
      case 7:
        return arithmetic("LOP3", 2);
      case 8:
      case 9:
      case 10:
        return arithmetic("FFMA", 3);
      case 11:
        return statement(BarrierStatement{});
      case 12:
      case 13:
        return branch(depth);
      default:
        return any_loop(depth);
    }
  }

  Statement arithmetic(const std::string& name, int sources) {
    std::vector<std::string> from;
    for (int source = 0; source < sources; ++source) {
      from.push_back(value());
    }
    return op(result(), name, from);
  }
  Statement compare() {
    // A predicate under a name of its own, used at once by whoever draws it next.
    Statement made = op("p", "ISETP", {value(), value()});
    return made;
  }
  Statement load_any() {
    const std::string index = value();
    return below(2) == 0 ? load(result(), "LDG", below(2) == 0 ? "A" : "B", index)
                         : load(result(), "LDS", "s", index);
  }
  Statement branch(int depth) {
    IfStatement made;
    made.condition.condition.kind = Condition::Kind::fraction;
    made.condition.condition.scope = below(2) == 0 ? Scope::thread : Scope::warp;
    made.condition.condition.fraction = 0.5;
    made.condition.depends_on = ValueSource{value(), {}};
    made.then_body = body(depth - 1, 1 + below(9));
    if (below(2) == 0) {
      made.else_body = body(depth - 1, 1 + below(4));
    }
    return statement(made);
  }
  Statement any_loop(int depth) {
    ForStatement made;
    if (below(3) == 0) {
      made.trips.kind = TripCount::Kind::distribution;
      made.trips.scope = Scope::warp;
      made.trips.distribution.mean = 3;
    } else {
      made.trips.count = 1 + below(9);
    }
    made.unroll = 1 + below(4);
    made.index = "k" + std::to_string(depth);
    made.body = body(depth - 1, 1 + below(8));
    return statement(made);
  }

  std::mt19937 random_;
  std::vector<std::string> names_;
};

// "?" stands for the array that fits the operation.
void fix_arrays(Body& body) {
  for (Statement& item : body) {
    if (auto* operation = std::get_if<OperationStatement>(&item.what)) {
      if (operation->access && operation->access->array == "?") {
        operation->access->array = operation->op == "STS" ? "s" : "C";
      }
    } else if (auto* inner = std::get_if<ForStatement>(&item.what)) {
      fix_arrays(inner->body);
    } else if (auto* branch = std::get_if<IfStatement>(&item.what)) {
      fix_arrays(branch->then_body);
      fix_arrays(branch->else_body);
    }
  }
}

}  // namespace

TEST_CASE("no consumer of a random program comes too early, on any way through it") {
  int assembled = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    KernelSource source = RandomSource(seed).make();
    fix_arrays(source.body);
    std::vector<SourceProblem> problems;
    const auto assembly = assemble(source, sm90(), problems);
    if (!assembly) {
      // Only a lack of registers is a fair excuse.
      REQUIRE(!problems.empty());
      INFO("seed " << seed << ": " << problems.front().message);
      CHECK(problems.front().message.find("register") != std::string::npos);
      continue;
    }
    ++assembled;
    INFO("seed " << seed);
    CHECK(find_hazard(*assembly, sm90(), 6, seed) == "");
    CHECK(assembly->allocation.vector_used <= assembly->kernel.launch.registers);
  }
  CHECK(assembled > 300);
}
