// Headers, blocks and what a trace may leave out.
#include "sim/import/accelsim_reader.hpp"

#include "tests/import/accelsim_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::vector<std::string> kExit = {"0000 ffffffff 0 EXIT 0 0 0"};

std::string without(std::string text, const std::string& key) {
  const std::size_t begin = text.find(key);
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

std::string with(const std::string& line) {
  return accelsim_header(5, line + "\n") + accelsim_grid(kExit);
}

}  // namespace

TEST_CASE("the header") {
  const AccelsimTrace trace = read_accelsim(accelsim_header(5) + accelsim_grid(kExit));
  const AccelsimHeader& header = trace.header;
  CHECK(header.kernel_name == "_Z5saxpyfPfS_");
  CHECK(header.kernel_id == 3);
  CHECK(header.grid.count() == 2);
  CHECK(header.block.x == 64);
  CHECK(header.smem_bytes == 2048);
  CHECK(header.registers == 20);
  CHECK(header.binary_version == 80);
  CHECK(header.tracer_version == 5);
  CHECK(header.smem_base == 0x7f7c00000000);
  CHECK(header.local_base == 0x7f7ba5000000);
  CHECK(header.nvbit_version == "1.5.5");
  CHECK_FALSE(header.line_info);
  CHECK(header.cuda_stream == 94561234567890);
  CHECK(trace.warnings.empty());
}

TEST_CASE("blocks and warps in the order of the file") {
  const AccelsimTrace trace = read_accelsim(
      accelsim_header(5) +
      accelsim_block(
          1, accelsim_warp(1, {"0 1 0 NOP 0 0 0", "10 1 0 EXIT 0 0 0"}) + accelsim_warp(0, kExit)) +
      "# a remark\n" + accelsim_block(0, accelsim_warp(0, kExit) + accelsim_warp(1, kExit)));
  REQUIRE(trace.blocks.size() == 2);
  CHECK(trace.blocks[0].id.x == 1);
  CHECK(trace.blocks[0].warps.at(0).warp == 1);
  CHECK(trace.blocks[0].warps.at(0).code.size() == 2);
  CHECK(trace.blocks[0].warps.at(1).code.size() == 1);
  CHECK(trace.blocks[1].id.x == 0);
  CHECK(trace.opcodes == std::vector<std::string>{"NOP", "EXIT"});
}

TEST_CASE("a block's memory is used again, also for fewer warps") {
  const ScratchFolder folder;
  AccelsimReader reader(folder.write(
      "k.traceg", accelsim_header(5) +
                      accelsim_block(0, accelsim_warp(0, kExit) + accelsim_warp(1, kExit)) +
                      accelsim_block(1, accelsim_warp(1, kExit))));
  AccelsimBlock block;
  REQUIRE(reader.next_block(block));
  CHECK(block.warps.size() == 2);
  REQUIRE(reader.next_block(block));
  REQUIRE(block.warps.size() == 1);
  CHECK(block.warps[0].code.size() == 1);
  CHECK_FALSE(reader.next_block(block));
  CHECK_FALSE(reader.next_block(block));
}

TEST_CASE("rewinding gives the blocks again and the warnings once") {
  const ScratchFolder folder;
  AccelsimReader reader(folder.write(
      "k.traceg",
      accelsim_header(6, "-new key = 1\n") + accelsim_grid({"0 1 0 UTMALDG 0 16 0x10 0 0 NoVal"})));
  AccelsimBlock block;
  for (int round = 0; round < 3; ++round) {
    int blocks = 0;
    while (reader.next_block(block)) {
      ++blocks;
    }
    CHECK(blocks == 2);
    REQUIRE(reader.warnings().size() == 2);
    has(reader.warnings()[1].message, "(4 lines)");
    reader.rewind();
  }
}

TEST_CASE("without a format line the first block counts") {
  const AccelsimTrace trace = read_accelsim(without(accelsim_header(5), "#traces") + "#BEGIN_TB" +
                                            accelsim_grid(kExit).substr(10));
  CHECK(trace.blocks.size() == 2);
}

TEST_CASE("what a header lacks gets a default and a warning") {
  std::string text = accelsim_header(3) + accelsim_grid({"0 1 0 EXIT 0 0"});
  for (const char* key : {"-kernel name", "-kernel id", "-shmem =", "-nregs", "-binary", "-shmem b",
                          "-local", "-nvbit", "-cuda", "-enable"}) {
    text = without(text, key);
  }
  const AccelsimTrace trace = read_accelsim(text);
  CHECK(trace.header.kernel_name == "k.traceg");
  CHECK(trace.header.kernel_id == 1);
  CHECK(trace.header.registers == 0);
  CHECK(trace.warnings.size() == 7);
  has(trace.all_warnings(), "0: found no line '-kernel name = ...', so the file's name is taken");
  has(trace.all_warnings(), "0: found no line '-nregs = ...', so 0 is taken");
  // A trace without a tracer version is one of the first, as Accel-Sim has it.
  const AccelsimTrace old = read_accelsim(without(accelsim_header(5), "-accelsim") +
                                          accelsim_grid({"0 0 0 0 0010 1 0 EXIT 0 0"}));
  CHECK(old.header.tracer_version == 0);
  CHECK(old.first().pc == 0x10);
  has(old.all_warnings(), "found no line '-accelsim tracer version = ...', so 0 is taken");
}

TEST_CASE("odd values are kept, with a warning") {
  const AccelsimTrace trace =
      read_accelsim(with("-nregs = 21955\n-shmem = 1\n-odd key = 5\n-x = "));
  CHECK(trace.header.registers == 21955);
  CHECK(trace.header.smem_bytes == 1);
  has(trace.all_warnings(), "14: found 21955 registers per thread, expected 1 to 255");
  has(trace.all_warnings(), "15: found 1 byte of shared memory");
  has(trace.all_warnings(), "16: found '-odd key', which is left out (2 lines)");
}

TEST_CASE("clusters are left out") {
  std::string text = accelsim_header(6) + accelsim_grid({"0 1 0 EXIT 0 0 0 0 NoVal"});
  const std::string place = "cluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = ";
  text.insert(text.find("\nwarp"), place + "0\n");
  CHECK(read_accelsim(text).warnings.empty());
  text.insert(text.rfind("\nwarp"), place + "1\n");
  has(read_accelsim(text).all_warnings(), "found blocks in clusters, which are left out");
}

TEST_CASE("a trace may have too few blocks or warps, with a warning") {
  const std::string whole = accelsim_block(0, accelsim_warp(0, kExit) + accelsim_warp(1, kExit));
  const AccelsimTrace few = read_accelsim(accelsim_header(5) + whole);
  CHECK(few.warnings == std::vector<std::string>{"0: found 1 of the 2 blocks of the grid"});
  const AccelsimTrace empty =
      read_accelsim(accelsim_header(5) + whole +
                    accelsim_block(1, accelsim_warp(0, kExit) + accelsim_warp(1, {})));
  CHECK(empty.blocks.size() == 2);
  has(empty.all_warnings(), "found a block with the instructions of 1 of its 2 warps");
  CHECK(read_accelsim(accelsim_header(5)).blocks.empty());
}

TEST_CASE("a file that is cut off after whole blocks gives these, with a warning") {
  const std::string text = accelsim_header(5) + accelsim_grid(kExit);
  for (const std::size_t cut : {12, 40, 60}) {
    const AccelsimTrace trace = read_accelsim(text.substr(0, text.size() - cut));
    CHECK(trace.blocks.size() == 1);
    has(trace.all_warnings(), "found the end of the file within a block, which is left out");
    has(trace.all_warnings(), "found 1 of the 2 blocks of the grid");
  }
  has(accelsim_problem(text.substr(0, text.find("#END_TB"))),
      "found the end of the file within the first block, expected #END_TB");
}

TEST_CASE("the last line may lack its line break") {
  const std::string text = accelsim_header(5) + accelsim_grid(kExit);
  const AccelsimTrace trace = read_accelsim(text.substr(0, text.size() - 1));
  CHECK(trace.blocks.size() == 2);
  has(trace.all_warnings(), "found no line break behind the last line");
}

TEST_CASE("every line of a header that cannot be used is reported") {
  const std::string message = accelsim_problem(with(
      "-grid dim = (0,1,1)\n-block dim = (64,32,1)\n-nregs = -1\n-accelsim tracer version = 7\n"
      "-enable lineinfo = 2\n-kernel id 4\n-shmem base_addr = zz\n-kernel id = 1 2\nhello"));
  has(message, ":14:1: error: found a grid of (0,1,1), expected 1 to (2147483647,65535,65535)");
  has(message, ":15:1: error: found a block of (64,32,1), expected 1 to 1024 threads");
  has(message, ":16:10: error: found '-1', expected registers per thread");
  has(message, ":17:28: error: found '7', expected a tracer version from 1 to 6");
  has(message, ":18:20: error: found '2', expected 0 or 1");
  has(message, ":19:1: error: found '-kernel id 4', expected '-key = value'");
  has(message, ":20:20: error: found 'zz', expected an address in hexadecimal");
  has(message, ":21:16: error: found '2', expected the end of the line");
  has(message, ":22:1: error: found 'hello', expected a line of the header");
  has(accelsim_problem(with("-grid dim = (1,2)")), "found '(1,2)', expected the grid as (x,y,z)");
  has(accelsim_problem(with("-grid dim = (1,2,3")), "expected the grid as (x,y,z)");
  const std::string bare = "-kernel name = k\n#traces\n";
  has(accelsim_problem(bare), "found no line '-grid dim = (x,y,z)'");
  has(accelsim_problem(bare), "found no line '-block dim = (x,y,z)'");
}

TEST_CASE("files that are no traces are refused") {
  has(accelsim_problem(""), "found an empty file, expected a trace");
  has(accelsim_problem("-kernel name = k\n"), "found the end of the file, expected '#traces");
  has(accelsim_problem("kernel-1.traceg\n"),
      ":1:1: error: found 'kernel-1.traceg', expected a line");
  has(accelsim_problem(std::string("\x7f"
                                   "ELF\0\1",
                                   6)),
      "found binary data, expected a trace");
  has(accelsim_problem(accelsim_header(5) + "0 0 0 1 0010 ffffffff 0 EXIT 0 0 0\n"),
      ":16:1: error: found '0 0 0 1 0010 ffffffff 0 EXIT 0 0 0' outside a block, expected "
      "#BEGIN_TB");
  has(accelsim_problem(accelsim_header(5) + std::string(std::size_t{3} << 20, '0')),
      ":16:1: error: found a line of more than 1048575 bytes");
  const ScratchFolder folder;
  has(message_of([&] { AccelsimReader(folder.path("k.traceg")); }),
      "cannot open the file (No such");
  has(message_of([&] { AccelsimReader(folder.path("")); }), "found a folder, expected a file");
  has(message_of([&] { AccelsimReader(folder.write("k.tracez", accelsim_header(5))); }),
      "found a trace in the packed form '.tracez' of Accel-Sim 2.0, expected the text form");
}

TEST_CASE("every way in which a block can be wrong is reported with its line") {
  const auto problem = [](const std::string& body) {
    return accelsim_problem(accelsim_header(5) + body);
  };
  const std::string warp = accelsim_warp(0, kExit);
  has(problem("#BEGIN_TB\n" + warp + "#END_TB\n"),
      ":21:1: error: found the end of a block, expected 'thread block = x,y,z' in it");
  has(problem(accelsim_block(2, warp)),
      ":19:1: error: found block 2,0,0, expected one of the grid "
      "(2,1,1)");
  has(problem(accelsim_block(0, "thread block = 1,0,0\n")), ":20:1: error: found 'thread block");
  has(problem(accelsim_block(0, "thread blck = 1,0,0\n")), "expected one 'thread block = x,y,z'");
  has(problem("#BEGIN_TB\nthread block = 1,0\n"), ":17:16: error: found '1,0', expected the block");
  has(problem("#BEGIN_TB\nthread block : 1,0,0\n"), ":17:14: error: found ':', expected '='");
  has(problem(accelsim_block(0, accelsim_warp(2, kExit))), "found warp 2, expected 0 to 1");
  has(problem(accelsim_block(0, warp + warp)), "found warp 0 a second time in its block");
  has(problem(accelsim_block(0, "insts = 1\n")),
      ":20:1: error: found 'insts = 1', expected 'thread");
  has(problem(accelsim_block(0, "warp = 0\ninsts = -1\n")), "found '-1', expected the number of");
  has(problem(accelsim_block(0, "warp = 0 1\n")), "found '1', expected the end of the line");
  has(problem(accelsim_block(0, kExit[0] + "\n")),
      "expected 'warp = ...' and 'insts = ...' before");
  has(problem(accelsim_block(0, warp.substr(0, warp.size() - 1) + "\n" + kExit[0] + "\n")),
      "expected as many as 'insts = ...' says");
  has(problem(accelsim_block(0, "warp = 0\ninsts = 3\n" + kExit[0] + "\n")),
      "found '#END_TB', expected 2 more instructions of warp 0");
  has(problem(accelsim_block(0, "warp = 0\ninsts = 3\nwarp = 1\n")),
      "expected 3 more instructions");
  has(problem("#BEGIN_TB\n#BEGIN_TB\n"),
      ":17:1: error: found '#BEGIN_TB', expected 'thread block'");
  has(problem(accelsim_grid(kExit) + accelsim_block(0, warp)),
      "found another block, expected 2 as in the grid");
}

TEST_CASE("after an error a reader is at its end until it is rewound") {
  const ScratchFolder folder;
  AccelsimReader reader(folder.write("k.traceg", accelsim_header(5) +
                                                     accelsim_block(0, accelsim_warp(0, kExit)) +
                                                     accelsim_block(1, accelsim_warp(9, kExit))));
  AccelsimBlock block;
  CHECK(reader.next_block(block));
  CHECK_THROWS_AS(reader.next_block(block), InputError);
  CHECK_FALSE(reader.next_block(block));
  reader.rewind();
  CHECK(reader.next_block(block));
  CHECK(block.id.x == 0);
}
