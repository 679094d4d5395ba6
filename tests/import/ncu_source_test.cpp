#include "sim/import/ncu_source.hpp"

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kName = "\"Kernel Name\",\"k(int)\",\n";
const std::string kHeader =
    "\"Address\",\"Source\",\"Instructions Executed\",\"Divergent Branches\",\"Address Space\","
    "\"Access Size\"\n";

std::string row(const std::string& address, const std::string& source,
                const std::string& executed = "64", const std::string& divergent = "0",
                const std::string& space = "-", const std::string& size = "-") {
  return "\"" + address + "\",\"" + source + "\",\"" + executed + "\",\"" + divergent + "\",\"" +
         space + "\",\"" + size + "\"\n";
}

std::vector<NcuSourceBlock> parse(const std::string& text) {
  return parse_ncu_source("f", text);
}

std::string problem(const std::string& text) {
  return message_of([&] { parse(text); });
}

}  // namespace

TEST_CASE("a block is a name, a header and one row per instruction") {
  const auto blocks =
      parse(kName + kHeader + row("0x7f0010", "      LDC R1, c[0x0][0x28]") +
            row("0x7f0020", "@!P1  LDG.E  R2, [R4.64]", "1,234", "1", "Global", "32"));
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].kernel_name == "k(int)");
  CHECK(blocks[0].line == 1);
  CHECK(blocks[0].base == 0x7f0010);
  REQUIRE(blocks[0].rows.size() == 2);
  const NcuSourceRow& first = blocks[0].rows[0];
  CHECK(first.line == 3);
  CHECK(first.address == 0);
  CHECK(first.predicate.empty());
  CHECK(first.text == "LDC R1, c[0x0][0x28]");
  CHECK(first.executed == 64);
  CHECK(first.address_space.empty());
  CHECK(!first.access_size_bits);
  CHECK(!first.thread_executed);  // no such column
  const NcuSourceRow& second = blocks[0].rows[1];
  CHECK(second.address == 16);
  CHECK(second.predicate == "@!P1");
  CHECK(second.text == "LDG.E R2, [R4.64]");
  CHECK(second.executed == 1234);
  CHECK(second.divergent_branches == 1);
  CHECK(second.address_space == "Global");
  CHECK(second.access_size_bits == 32);
}

TEST_CASE("branch targets become relative, other numbers stay") {
  const auto blocks =
      parse(kName + kHeader + row("0x7f0010", "@P0 BRA 0x7f0030") +
            row("0x7f0020", "IADD3 R1, R1, 0x7f0020, RZ") + row("0x7f0030", "BSSY B0, 0x7f0010") +
            row("0x7f0040", "RET.REL.NODEC R6, 0x7f0010") + row("0x7f0050", "CALL.REL 0x900000") +
            row("0x7f0060", "BRA.DIV UR4, 0x7f0070"));
  const auto& rows = blocks[0].rows;
  CHECK(rows[0].text == "BRA 0x20");
  CHECK(rows[1].text == "IADD3 R1, R1, 0x7f0020, RZ");
  CHECK(rows[2].text == "BSSY B0, 0x0");
  CHECK(rows[3].text == "RET.REL.NODEC R6, 0x0");
  CHECK(rows[4].text == "CALL.REL 0x900000");  // of code that is not in this block
  CHECK(rows[5].text == "BRA.DIV UR4, 0x60");
}

TEST_CASE("several kernels and several launches of one kernel follow each other") {
  const std::string block = kName + kHeader + row("0x10", "EXIT");
  const auto blocks = parse("==PROF== hello\n" + block + block + "\"Kernel Name\",\"other\",\n" +
                            "\"#\",\"Source\",\"Address\",\"# Inst Executed\"\n1,EXIT,0x20,5\n");
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[1].line == 5);
  CHECK(blocks[2].kernel_name == "other");
  CHECK(blocks[2].rows[0].executed == 5);  // an older version's column
  CHECK(blocks[2].rows[0].text == "EXIT");
}

TEST_CASE("source page: another locale's numbers") {
  const auto blocks = parse(kName + kHeader + row("0x10", "NOP", "2.097.152") +
                            row("0x20", "EXIT", "1.024", "0,5"));
  CHECK(blocks[0].rows[0].executed == 2097152);
  CHECK(blocks[0].rows[1].executed == 1024);
  CHECK(blocks[0].rows[1].divergent_branches == 0.5);
}

TEST_CASE("what is no source page") {
  has(problem(""),
      "f: error: found an empty file, expected what 'ncu --import REPORT --page source");
  has(problem("\"ID\",\"Kernel Name\"\n\"\",\"\"\n"), "f:1:1: error: found no 'Kernel Name' row, ");
  has(problem(kHeader + row("0x10", "EXIT")),
      "f:1:1: error: found no 'Kernel Name' row above the header");
  has(problem(kName), "f:1:1: error: found no instruction of kernel 'k(int)'");
  has(problem("\"Kernel Name\"\n"), "f:1:1: error: found no name after 'Kernel Name'");
}

TEST_CASE("a required column that is missing is named once, with those like it") {
  const std::string found = problem(
      kName + "\"Address\",\"Source\",\"Instruction Executed\",\"Thread Instructions Executed\"\n" +
      "\"0x10\",\"EXIT\",\"1\",\"1\"\n");
  has(found,
      "f:2:1: error: found no column 'Instructions Executed'; did you mean 'Instruction "
      "Executed'?");
  has(found, "alike: 'Instruction Executed', 'Thread Instructions Executed'");
  CHECK(found.find('\n') == std::string::npos);
  has(problem(kName + "\"Adress\",\"Code\",\"Instructions Executed\"\n\"0x10\",\"EXIT\",\"1\"\n"),
      "found no column 'Address'; did you mean 'Adress'?");
}

TEST_CASE("source page: every broken row is reported") {
  const std::string found =
      problem(kName + kHeader + row("0x10", "NOP") + row("main.cu", "NOP") + "\"0x20\",\"NOP\"\n" +
              row("0x20", "NOP", "-") + row("0x30", "NOP", "1", "12x") + row("0x30", "NOP") +
              row("0x48", "NOP") + row("0x60", " "));
  has(found, "f:4:1: error: found 'main.cu' as address, expected a hexadecimal number");
  has(found, "f:5:1: error: found 2 cells, expected 6 as in the header");
  has(found, "f:6:1: error: found '-' as 'Instructions Executed', expected a number");
  has(found, "f:7:1: error: found '12x' as 'Divergent Branches', expected a number");
  has(found, "f:8:1: error: found address 0x30, expected 0x40");
  has(found, "f:9:1: error: found address 0x48, expected 0x");
  has(found, "f:10:1: error: found no instruction in column 'Source'");
}

TEST_CASE("a file that is wrong all over is not reported line by line") {
  std::string text = kName + kHeader;
  for (int i = 0; i < 100; ++i) {
    text += row("?", "NOP");
  }
  has(problem(text), "and 80 more like these");
}
