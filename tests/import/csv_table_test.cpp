#include "sim/import/csv_table.hpp"

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

using Cells = std::vector<std::string>;

}  // namespace

TEST_CASE("cells, quotes and line numbers") {
  const CsvTable table =
      parse_csv("f", "a,b\n\n\"x, y\",\"say \"\"so\"\"\"\n\"two\nlines\",\nlast");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].cells == Cells{"a", "b"});
  CHECK(table.rows[1].cells == Cells{"x, y", "say \"so\""});
  CHECK(table.rows[1].line == 3);
  CHECK(table.rows[2].cells == Cells{"two\nlines", ""});
  CHECK(table.rows[2].line == 4);
  CHECK(table.rows[3].cells == Cells{"last"});
  CHECK(table.rows[3].line == 6);
}

TEST_CASE("CRLF, a lone CR and a byte order mark") {
  const CsvTable table = parse_csv("f", "\xef\xbb\xbf\"a\",b\r\n1,2\r\n3,4\r");
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].cells == Cells{"a", "b"});
  CHECK(table.rows[1].cells == Cells{"1", "2"});
  CHECK(table.rows[2].cells == Cells{"3", "4"});
  CHECK(table.rows[2].line == 3);
}

TEST_CASE("the delimiter is told by the first line with quotes") {
  CHECK(parse_csv("f", "a,b;c,d\n").delimiter == ',');
  CHECK(parse_csv("f", "a;b\n1,5;2,5\n").delimiter == ';');
  const CsvTable table = parse_csv("f", "==PROF== a, b, c, d, e\n\"a, b\";\"c\"\n");
  CHECK(table.delimiter == ';');
  CHECK(table.rows[1].cells == Cells{"a, b", "c"});
}

TEST_CASE("an empty file has no rows") {
  CHECK(parse_csv("f", "").rows.empty());
  CHECK(parse_csv("f", "\n\r\n\n").rows.empty());
}

TEST_CASE("a quote that is never closed is reported where it opens") {
  has(message_of([] { parse_csv("f", "a,b\nc,\"d\ne\n"); }),
      "f:2:3: error: found the end of the file, expected the closing \"");
}

TEST_CASE("what is no text is refused") {
  has(message_of([] { parse_csv("f", std::string("ab\0cd", 5)); }),
      "f: error: found binary data, expected comma-separated values");
  has(message_of([] { parse_csv("f", std::string("NVR\0\x01", 5)); }),
      "found a report of Nsight Compute, expected what it exports; try 'ncu --import REPORT");
}
