// Damaged GPU files are refused with a reason, or still make sense: never a crash, a hang or
// nonsense.
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "sim/arch/gpu_spec_check.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;

namespace {

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// One to four edits: a byte replaced, removed or doubled, or a piece moved elsewhere.
std::string mutated(std::string text, std::mt19937& random) {
  const auto pick = [&](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  const std::string alphabet = "0123456789-.:,[]{}#&*!|>'\"%@` \n\tabcxyz";
  for (std::size_t edits = 1 + pick(4); edits > 0; --edits) {
    const std::size_t at = pick(text.size());
    switch (pick(4)) {
      case 0:
        text[at] = alphabet[pick(alphabet.size())];
        break;
      case 1:
        text.erase(at, 1 + pick(3));
        break;
      case 2:
        text.insert(at, 1, alphabet[pick(alphabet.size())]);
        break;
      default:
        text.insert(at, text.substr(pick(text.size()), pick(40)));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("300 mutated GPU files are refused with a reason or load as a machine that can exist") {
  const test::ScratchFolder folder;
  const std::string original = text_of(std::string(SMSIM_SOURCE_DIR) + "/configs/gpus/h200.yaml");
  int refused = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const std::string text = mutated(original, random);
    const std::string file = folder.write("gpu.yaml", text);
    INFO("seed " << seed << "\n" << text);
    try {
      const LoadedGpu gpu = load_gpu(file);
      CHECK(check(gpu.spec).empty());
    } catch (const InputError& error) {
      ++refused;
      REQUIRE_FALSE(error.diagnostics().empty());
      for (const Diagnostic& problem : error.diagnostics()) {
        CHECK_FALSE(problem.message.empty());
        CHECK_FALSE(problem.file.empty());
      }
    }
  }
  CHECK(refused > 50);
  CHECK(refused < 300);
}
