#include "sim/import/accelsim_writer.hpp"

#include <bit>
#include <limits>
#include <random>
#include <sstream>

#include "tests/import/accelsim_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

AccelsimHeader small_header() {
  AccelsimHeader header;
  header.kernel_name = "void kernel<float>(int, float*)";
  header.kernel_id = 4;
  header.grid = {50, 2, 1};
  header.block = {96, 1, 1};
  header.smem_bytes = 4096;
  header.registers = 40;
  header.binary_version = 90;
  header.smem_base = 0x7f7c00000000;
  header.local_base = 0x7f7ba5000000;
  header.nvbit_version = "1.7";
  header.cuda_stream = 94561234567890;
  return header;
}

AccelsimBlock one_load(std::uint32_t mask, const std::vector<std::uint64_t>& addresses) {
  AccelsimInstruction load;
  load.pc = 0x70;
  load.mask = mask;
  load.destinations = 1;
  load.sources = 1;
  load.registers = {11, 260};
  load.width_bytes = 4;
  load.addresses = static_cast<std::uint8_t>(addresses.size());
  load.immediate = -3;
  AccelsimBlock block;
  block.warps.push_back({0, {load}, addresses});
  return block;
}

// The line of such a load, from its width on.
std::string line_of(std::uint32_t mask, const std::vector<std::uint64_t>& addresses) {
  std::ostringstream out;
  AccelsimWriter writer(out, small_header());
  writer.write(one_load(mask, addresses), {"LDG.E"});
  const std::string text = out.str();
  const std::size_t begin = text.find("UR4") + 4;
  return text.substr(begin, text.find('\n', begin) - begin);
}

class RandomTrace {
 public:
  explicit RandomTrace(unsigned seed) : random_(seed) {}

  AccelsimBlock block(std::uint64_t x) {
    AccelsimBlock made;
    made.id = {x, below(2), 0};
    for (std::uint32_t warp = 0; warp < 3; ++warp) {
      made.warps.push_back({warp, {}, {}});
      for (std::uint64_t count = below(20); count > 0; --count) {
        add_instruction(made.warps.back());
      }
    }
    return made;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  std::uint32_t mask() {
    const auto any = static_cast<std::uint32_t>(random_());
    const std::uint32_t run = 0xffffffffU >> below(32) << below(32);
    return std::array<std::uint32_t, 5>{any, run, 0xffffffff, 1U << below(32), 0}[below(5)];
  }

  void add_instruction(AccelsimWarp& warp) {
    AccelsimInstruction one;
    one.pc = static_cast<std::uint32_t>(random_());
    one.mask = mask();
    one.opcode = static_cast<std::uint16_t>(below(3));
    one.destinations = static_cast<std::uint8_t>(below(4));
    one.sources = static_cast<std::uint8_t>(below(6));
    for (std::size_t i = 0; i < std::size_t{one.destinations} + one.sources; ++i) {
      one.registers[i] = static_cast<std::uint16_t>(below(kFirstUniformPredicate + 8));
    }
    one.immediate = static_cast<std::int64_t>(random_() >> below(64));
    one.width_bytes = static_cast<std::uint8_t>(below(2) * 4);
    if (one.width_bytes > 0 && one.mask != 0) {
      add_addresses(warp, one);
    }
    warp.code.push_back(one);
  }

  void add_addresses(AccelsimWarp& warp, AccelsimInstruction& one) {
    one.first_address = static_cast<std::uint32_t>(warp.addresses.size());
    one.addresses = static_cast<std::uint8_t>(std::popcount(one.mask));
    const std::uint64_t stride = random_() >> below(64);
    const bool regular = below(2) == 0;
    std::uint64_t address = random_();
    for (int i = 0; i < one.addresses; ++i) {
      warp.addresses.push_back(address);
      address += regular ? stride : random_() >> below(64);
    }
  }

  std::mt19937_64 random_;
};

void check_same(const AccelsimBlock& read, const AccelsimBlock& written) {
  CHECK(read.id.x == written.id.x);
  CHECK(read.id.y == written.id.y);
  REQUIRE(read.warps.size() == written.warps.size());
  for (std::size_t w = 0; w < read.warps.size(); ++w) {
    CHECK(read.warps[w].addresses == written.warps[w].addresses);
    REQUIRE(read.warps[w].code.size() == written.warps[w].code.size());
    for (std::size_t i = 0; i < read.warps[w].code.size(); ++i) {
      const AccelsimInstruction& a = read.warps[w].code[i];
      const AccelsimInstruction& b = written.warps[w].code[i];
      CHECK(a.pc == b.pc);
      CHECK(a.mask == b.mask);
      CHECK(a.destinations == b.destinations);
      CHECK(a.sources == b.sources);
      CHECK(a.registers == b.registers);
      CHECK(a.width_bytes == b.width_bytes);
      CHECK(a.addresses == b.addresses);
      CHECK(a.first_address == b.first_address);
      CHECK(a.immediate == b.immediate);
    }
  }
}

}  // namespace

TEST_CASE("addresses are written in the shortest mode that the tracer would use") {
  // One run of at least two lanes with one stride.
  CHECK(line_of(0x7, {0x1000, 0x1004, 0x1008}) == "4 1 0x1000 4 -3");
  CHECK(line_of(0xc0000000, {0x1000, 0xff0}) == "4 1 0x1000 -16 -3");
  CHECK(line_of(0x5, {0x1000, 0x1004}) == "4 2 0x1000 4 -3");
  CHECK(line_of(0x7, {0x1000, 0x1004, 0x100c}) == "4 2 0x1000 4 8 -3");
  // A stride is 32 bits wide in the tracer.
  CHECK(line_of(0x3, {0x1000, 0x80000fff}) == "4 1 0x1000 2147483647 -3");
  CHECK(line_of(0x3, {0x1000, 0x80001000}) == "4 2 0x1000 2147483648 -3");
  // One lane has no stride.
  CHECK(line_of(0x10, {0x1000}) == "4 2 0x1000 -3");
  // Distances that are longer than addresses.
  CHECK(line_of(0x5, {0x1000, 0x16345785d8a1000}) == "4 2 0x1000 100000000000000000 -3");
  CHECK(line_of(0x5, {0xf000000000000000, 0x7000000000000001}) ==
        "4 0 0xf000000000000000 0x7000000000000001 -3");
  CHECK(line_of(0, {}) == "4 1 0x0 0 -3");
  // Addresses that are not known.
  CHECK(line_of(0x3, {}) == "0 -3");
}

TEST_CASE("a written header is read again") {
  std::ostringstream out;
  AccelsimWriter writer(out, small_header());
  const AccelsimTrace trace = read_accelsim(out.str());
  const AccelsimHeader wanted = small_header();
  CHECK(trace.header.kernel_name == wanted.kernel_name);
  CHECK(trace.header.kernel_id == wanted.kernel_id);
  CHECK(trace.header.grid.y == 2);
  CHECK(trace.header.block.x == 96);
  CHECK(trace.header.smem_bytes == wanted.smem_bytes);
  CHECK(trace.header.registers == wanted.registers);
  CHECK(trace.header.binary_version == wanted.binary_version);
  CHECK(trace.header.tracer_version == 5);
  CHECK(trace.header.smem_base == wanted.smem_base);
  CHECK(trace.header.local_base == wanted.local_base);
  CHECK(trace.header.nvbit_version == wanted.nvbit_version);
  CHECK(trace.header.cuda_stream == wanted.cuda_stream);
}

TEST_CASE("random blocks are read as they were written") {
  const std::vector<std::string> opcodes = {"LDG.E.128", "STS", "IMAD.MOV.U32"};
  RandomTrace random(11);
  std::vector<AccelsimBlock> written;
  std::ostringstream out;
  AccelsimWriter writer(out, small_header());
  for (std::uint64_t x = 0; x < 50; ++x) {
    written.push_back(random.block(x));
    writer.write(written.back(), opcodes);
  }
  const AccelsimTrace trace = read_accelsim(out.str());
  REQUIRE(trace.blocks.size() == written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    check_same(trace.blocks[i], written[i]);
    for (std::size_t w = 0; w < 3; ++w) {
      for (std::size_t j = 0; j < written[i].warps[w].code.size(); ++j) {
        CHECK(trace.opcodes.at(trace.blocks[i].warps[w].code[j].opcode) ==
              opcodes[written[i].warps[w].code[j].opcode]);
      }
    }
  }
}
