#include "sim/import/ncu_raw.hpp"

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kHeader =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"a__time.sum\","
    "\"b__bytes.sum\"\n";
const std::string kUnits = "\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"byte\"\n";

std::string row(const std::string& id, const std::string& time, const std::string& bytes) {
  return "\"" + id + "\",\"k(int, float)\",\"(256, 1, 1)\",\"(8, 2, 1)\",\"0\",\"9.0\",\"" + time +
         "\",\"" + bytes + "\"\n";
}

std::vector<NcuLaunch> parse(const std::string& text) {
  return parse_ncu_raw("f", text);
}

std::string problem(const std::string& text) {
  return message_of([&] { parse(text); });
}

}  // namespace

TEST_CASE("one launch per row, numbers by metric") {
  const auto launches = parse(kHeader + kUnits + row("0", "1,234.5", "7") + row("1", "nan", "-"));
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].id == 0);
  CHECK(launches[0].line == 3);
  CHECK(launches[0].kernel_name == "k(int, float)");
  CHECK(launches[0].block.x == 256);
  CHECK(launches[0].grid.x == 8);
  CHECK(launches[0].grid.y == 2);
  CHECK(launches[0].compute_capability == "9.0");
  CHECK(launches[0].number("a__time.sum") == 1234.5);
  CHECK(launches[0].number("b__bytes.sum") == 7);
  CHECK(!launches[0].number("c__other"));
  CHECK(!launches[0].rounded);
  CHECK(launches[1].id == 1);
  CHECK(!launches[1].number("a__time.sum"));
  CHECK(!launches[1].number("b__bytes.sum"));
  CHECK(launches[1].text.at("b__bytes.sum") == "-");
}

TEST_CASE("lines of the profiler around the table are skipped") {
  const auto launches = parse("==PROF== Connected to process 7, \n==WARNING== a, b\n" + kHeader +
                              kUnits + row("0", "1", "2") + "==PROF== Disconnected\n");
  CHECK(launches.size() == 1);
}

TEST_CASE("scaled units are scaled back, and said to be rounded") {
  const auto launches = parse(kHeader + "\"\",\"\",\"\",\"\",\"\",\"\",\"usecond\",\"Kbyte\"\n" +
                              row("0", "1.5", "1.02"));
  CHECK(launches[0].number("a__time.sum") == 1500);
  CHECK(launches[0].number("b__bytes.sum") == Approx(1020));
  CHECK(launches[0].rounded);
}

TEST_CASE("raw page: another locale's numbers and delimiter") {
  std::string text = kHeader + kUnits + row("0", "1.234.567,5", "1.024");
  const auto commas = parse(text);
  CHECK(commas[0].number("a__time.sum") == 1234567.5);
  CHECK(commas[0].number("b__bytes.sum") == 1024);
  text.clear();
  for (const std::string& part : {kHeader, kUnits, row("0", "1 234,5", "1.024")}) {
    for (std::size_t i = 0; i < part.size(); ++i) {  // between quotes, ',' separates
      text += part[i] == ',' && part[i - 1] == '"' ? ';' : part[i];
    }
  }
  const auto semicolons = parse(text);
  CHECK(semicolons[0].number("a__time.sum") == 1234.5);
  CHECK(semicolons[0].number("b__bytes.sum") == 1024);
  CHECK(semicolons[0].compute_capability == "9.0");
}

TEST_CASE("CRLF and sizes in columns of their own") {
  const auto launches = parse(
      "ID,Kernel Name,launch__block_dim_x,launch__block_dim_y,launch__grid_dim_x\r\n"
      ",,,,\r\n3,k,32,4,\"1,000\"\r\n");
  CHECK(launches[0].id == 3);
  CHECK(launches[0].block.y == 4);
  CHECK(launches[0].block.z == 1);
  CHECK(launches[0].grid.x == 1000);
}

TEST_CASE("what is no raw page") {
  has(problem(""), "f: error: found an empty file, expected what 'ncu --import REPORT --page raw");
  has(problem("==ERROR== No kernels were profiled.\n"),
      "found no header with the columns 'ID' and 'Kernel Name'");
  has(problem("\"Id\",\"Kernel\",\"Block Size\"\n"),
      "f:1:1: error: found no header with the columns");
  has(problem("\"Kernel Name\",\"k\",\n\"Address\",\"Source\",\"x\"\n"),
      "f:2:1: error: found a source page, expected a raw page");
  has(problem("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n\"0\",\"k\",\"a\",\"1\"\n"),
      "f:1:1: error: found one metric per row (the details page), expected one launch per row");
}

TEST_CASE("a page without units cannot be scaled") {
  has(problem(kHeader + row("0", "1", "2")),
      "f:2:1: error: found no row with units below the header, expected one with an empty ID");
  has(problem(kHeader), "f:1:1: error: found no row with units");
  has(problem(kHeader + kUnits), "found a header and no launch below it");
}

TEST_CASE("raw page: every broken row is reported") {
  std::string cut = row("1", "1", "2");
  cut = cut.substr(0, cut.find("\"0\"")) + "\n";
  std::string size = row("2", "1", "2");
  size.replace(size.find("(8, 2, 1)"), 9, "(8, 2)");
  const std::string found =
      problem(kHeader + kUnits + row("x", "1", "2") + cut + size + row("-1", "1", "2"));
  has(found, "f:3:1: error: found 'x' as ID, expected the number of a launch");
  has(found, "f:4:1: error: found 5 cells, expected 8 as in the header");
  has(found, "f:5:1: error: found '(8, 2)' as grid size, expected '(x, y, z)'");
  has(found, "f:6:1: error: found '-1' as ID");
}

TEST_CASE("a missing column is named, with those like it") {
  const std::string found = problem("ID,Kernel Name,Block Sizes,CC\n,,,\n0,k,\"(1, 1, 1)\",9.0\n");
  has(found, "f:1:1: error: found no column 'Block Size'; did you mean 'Block Sizes'?");
  has(found, "f:1:1: error: found no column 'Grid Size'");
}
