// Damaged kernel files: diagnostics or a kernel, never a crash, a hang or endless memory.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "smsim/gpu_file.hpp"
#include "smsim/result.hpp"
#include "smsim/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::vector<std::string> kernel_texts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SMSIM_SOURCE_DIR) + "/configs/kernels")) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream input(path);
    std::ostringstream text;
    text << input.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const unsigned changes = 1 + below(4);
    for (unsigned change = 0; change < changes && !text.empty(); ++change) {
      damage(text);
    }
    return text;
  }

 private:
  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }

  void damage(std::string& text) {
    static const std::vector<std::string> words = {"-1",
                                                   "0",
                                                   "1e308",
                                                   "999999999999999999999",
                                                   "nan",
                                                   "inf",
                                                   "[]",
                                                   "{}",
                                                   "null",
                                                   "''",
                                                   "{a: *b}",
                                                   "&x",
                                                   "[[[[",
                                                   "}}",
                                                   "op",
                                                   "for",
                                                   "1/0",
                                                   "2^99999",
                                                   "\t",
                                                   "\xff\xfe",
                                                   "!!binary x",
                                                   "- - - -",
                                                   "i * i",
                                                   "log2(0)",
                                                   "launch.grid",
                                                   "true",
                                                   "16384",
                                                   "4294967296",
                                                   "repeat",
                                                   "unroll",
                                                   "body",
                                                   "~",
                                                   "x.0.1.2",
                                                   "\"",
                                                   "0x7fffffffffffff"};
    const std::size_t at = below(text.size());
    switch (below(7)) {
      case 0:  // one character
        text[at] = static_cast<char>(below(256));
        break;
      case 1:  // something missing
        text.erase(at, 1 + below(20));
        break;
      case 2:  // something twice
        text.insert(at, text.substr(below(text.size()), below(60)));
        break;
      case 3:  // a number made strange
        replace_token(text, at, "0123456789", words[below(words.size())]);
        break;
      case 4:  // a word made strange
        replace_token(text, at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      words[below(words.size())]);
        break;
      case 5:  // cut off
        text.resize(at);
        break;
      default:
        text.insert(at, words[below(words.size())]);
        break;
    }
  }

  static void replace_token(std::string& text, std::size_t from, const char* letters,
                            const std::string& with) {
    const std::size_t begin = text.find_first_of(letters, from);
    if (begin == std::string::npos) {
      return;
    }
    const std::size_t end = std::min(text.find_first_not_of(letters, begin), text.size());
    text.replace(begin, end - begin, with);
  }

  std::mt19937 random_;
};

// A result, whatever it is: identities hold, no number is NaN or infinite.
void check_result(const GpuSpec& gpu, const KernelSpec& kernel) {
  SimulateOptions options;
  options.max_cycles = 3000;
  const SimulationResult run = simulate(gpu, kernel, options);
  const Result result = make_result(gpu, kernel, run);
  CHECK(check_identities(run.counters, result).empty());
  for (const Metric& metric : result.metrics) {
    CHECK((!metric.value || std::isfinite(*metric.value)));
  }
}

}  // namespace

TEST_CASE("a thousand damaged kernel files are read or refused, and what is read gives a result") {
  const GpuSpec h200 = load_gpu("h200").spec;
  const std::vector<std::string> texts = kernel_texts();
  REQUIRE(texts.size() >= 24);
  int refused = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const std::string text = Mutator(seed).mutate(texts[seed % texts.size()]);
    INFO("seed " << seed << "\n" << text);
    Diagnostics problems;
    const auto kernel = load_kernel_text(text, "damaged.yaml", {}, h200, problems);
    REQUIRE(kernel.has_value() == problems.empty());
    refused += kernel ? 0 : 1;
    for (const Diagnostic& problem : problems.all()) {
      CHECK(!problem.message.empty());
      CHECK(problem.message.find("(nan)") == std::string::npos);
    }
    if (kernel) {
      CHECK(kernel->launch.grid.count() > 0);
      CHECK(!kernel->program.code.empty());
      check_result(h200, *kernel);
    }
  }
  CHECK(refused > 300);
  CHECK(refused < 1000);
}
