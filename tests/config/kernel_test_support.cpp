#include "tests/config/kernel_test_support.hpp"

#include <sstream>

#include "tests/catch.hpp"
#include "tests/kernel/test_gpu.hpp"

namespace smsim::test {

std::string with_program(const std::string& program, const std::string& more) {
  return "params: {n: 1024}\n"
         "launch: {grid: 8, block: 128}\n"
         "arrays: {X: 4 * n, Y: 4 * n, s: {space: shared, bytes: 512}}\n"
         "scalars: [a]\n" +
         more + "program:\n" + program;
}

KernelSpec loaded(const std::string& text, const std::vector<std::string>& overrides) {
  Diagnostics problems;
  const auto kernel = load_kernel_text(text, "test.yaml", overrides, sm90(), problems);
  std::string all;
  for (const Diagnostic& problem : problems.all()) {
    all += to_string(problem) + "\n";
  }
  INFO(text);
  CHECK(all == "");
  REQUIRE(kernel);
  return *kernel;
}

std::string problems_of(const std::string& text, const std::vector<std::string>& overrides) {
  Diagnostics problems;
  const auto kernel = load_kernel_text(text, "k.yaml", overrides, sm90(), problems);
  CHECK(kernel.has_value() == problems.empty());
  std::string all;
  for (const Diagnostic& problem : problems.all()) {
    all += (all.empty() ? "" : "\n") + to_string(problem);
  }
  return all;
}

std::string mnemonics(const KernelSpec& kernel) {
  std::string all;
  for (const std::string& text : kernel.program.text) {
    std::istringstream words(text);
    std::string word;
    words >> word;
    if (word[0] == '@') {
      words >> word;
    }
    all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

int count(const KernelSpec& kernel, const std::string& mnemonic) {
  std::istringstream words(mnemonics(kernel));
  int found = 0;
  for (std::string word; words >> word;) {
    found += word.rfind(mnemonic, 0) == 0 ? 1 : 0;
  }
  return found;
}

const Instruction& find(const KernelSpec& kernel, const std::string& part) {
  for (std::size_t at = 0; at < kernel.program.text.size(); ++at) {
    if (kernel.program.text[at].find(part) != std::string::npos) {
      return kernel.program.code[at];
    }
  }
  FAIL("no instruction with '" << part << "'");
  return kernel.program.code.front();
}

}  // namespace smsim::test
