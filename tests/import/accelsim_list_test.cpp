#include "sim/import/accelsim_list.hpp"

#include <filesystem>

#include "tests/import/import_test_support.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::string problem(const ScratchFolder& folder, const std::string& text) {
  std::vector<Diagnostic> warnings;
  const std::string path = folder.write("kernelslist.g", text);
  return message_of([&] { read_accelsim_list(path, warnings); });
}

}  // namespace

TEST_CASE("copies and kernels in order, kernels beside the list") {
  const ScratchFolder folder;
  folder.write("kernel-1.traceg", "");
  folder.write("kernel-2.traceg.xz", "");
  std::vector<Diagnostic> warnings;
  const std::vector<AccelsimCommand> commands = read_accelsim_list(
      folder.write("kernelslist.g",
                   "MemcpyHtoD,0x00007efe7b500000,2052\r\nkernel-1.traceg\n\ncudaMalloc,3\n"
                   "MemcpyDtoH,0x00007efe7b500000,2052\nncclAllReduce\nkernel-2.traceg \n"
                   "kernel-2.traceg.xz"),
      warnings);
  REQUIRE(commands.size() == 4);
  CHECK(commands[0].kind == AccelsimCommand::Kind::memcpy_to_device);
  CHECK(commands[0].address == 0x7efe7b500000);
  CHECK(commands[0].bytes == 2052);
  CHECK(commands[0].line == 1);
  CHECK(commands[1].kind == AccelsimCommand::Kind::kernel);
  CHECK(commands[1].path == folder.path("kernel-1.traceg"));
  CHECK(commands[1].line == 2);
  CHECK(commands[2].path == folder.path("kernel-2.traceg.xz"));
  CHECK(commands[2].line == 7);
  CHECK(commands[3].path == folder.path("kernel-2.traceg.xz"));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].line == 4);
  CHECK(warnings[0].message == "found 'cudaMalloc,3', which is left out (2 lines)");
}

TEST_CASE("a list without a folder in its path looks in the current one") {
  const ScratchFolder folder;
  folder.write("kernel-1.traceg", "");
  folder.write("list", "kernel-1.traceg\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path(""));
  std::vector<Diagnostic> warnings;
  const std::vector<AccelsimCommand> commands = read_accelsim_list("list", warnings);
  std::filesystem::current_path(before);
  CHECK(commands.at(0).path == "kernel-1.traceg");
}

TEST_CASE("every line that cannot be used is reported") {
  const ScratchFolder folder;
  const std::string message =
      problem(folder, "MemcpyHtoD,0x10\nkernel-7.traceg\nMemcpyHtoD,0x10,5,6\nMemcpyHtoD,zz,5\n");
  has(message, "kernelslist.g:1:1: error: found 'MemcpyHtoD,0x10', expected 'MemcpyHtoD,0xADDR");
  has(message, "kernelslist.g:2:1: error: found no file '" + folder.path("kernel-7.traceg") +
                   "', also not as .gz, .xz or .zst");
  has(message, "kernelslist.g:3:1: error: found 'MemcpyHtoD,0x10,5,6'");
  has(message, "kernelslist.g:4:1: error: found 'MemcpyHtoD,zz,5'");
}

TEST_CASE("a list without kernels is none") {
  const ScratchFolder folder;
  const std::string wanted = "kernelslist.g: error: found no line that names a kernel, expected a";
  has(problem(folder, ""), wanted);
  has(problem(folder, "-kernel name = k\n"), wanted);
  std::vector<Diagnostic> warnings;
  has(message_of([&] { read_accelsim_list(folder.path("none.g"), warnings); }), "cannot open the");
}
