#include "sim/import/number_format.hpp"

#include "sim/import/ncu_units.hpp"
#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

NumberFormat decided(const std::vector<std::string>& numbers, char delimiter) {
  NumberFormatFinder finder("f");
  int line = 1;
  for (const std::string& number : numbers) {
    finder.see(number, line++);
  }
  return finder.decide(delimiter);
}

}  // namespace

TEST_CASE("a decimal point with grouping") {
  const NumberFormat format('.');
  CHECK(format.parse("1,234,567.5") == 1234567.5);
  CHECK(format.parse("1,234") == 1234);
  CHECK(format.parse("1.234") == 1.234);
  CHECK(format.parse(" 42 ") == 42);
  CHECK(format.parse("-0.5") == -0.5);
  CHECK(format.parse("+7") == 7);
  CHECK(format.parse(".5") == 0.5);
  CHECK(format.parse("1.5e-05") == 1.5e-5);
  CHECK(format.parse("1'234'567") == 1234567);
  CHECK(format.parse("3,461,598,899,587.35") == 3461598899587.35);
  CHECK(format.parse("18446744073709551615") == 18446744073709551615.0);
}

TEST_CASE("a decimal comma with grouping by points or spaces of any kind") {
  const NumberFormat format(',');
  CHECK(format.parse("1.234.567,5") == 1234567.5);
  CHECK(format.parse("1 234,5") == 1234.5);
  CHECK(format.parse("1\xc2\xa0"
                     "234,5") == 1234.5);
  CHECK(format.parse("1\xe2\x80\xaf"
                     "234\xe2\x80\xaf"
                     "567") == 1234567);
  CHECK(format.parse("0,25") == 0.25);
  CHECK(format.parse("1.234") == 1234);
}

TEST_CASE("what is no number is none") {
  for (const char* text : {"", "-", "n/a", "no data", "nan", "-nan", "inf", "abc", "0x10", "1,2,3",
                           "12,34", "1.2.3", "1e", "e5", "1,234,5", "--1", "1e999", "(1, 1, 1)"}) {
    INFO(text);
    CHECK(!NumberFormat('.').parse(text));
  }
}

TEST_CASE("absent values are told from broken ones") {
  for (const char* text : {"", " ", "-", "n/a", "N/A", "no data", "nan", "-nan(ind)", "inf"}) {
    INFO(text);
    CHECK(is_absent(text));
  }
  CHECK(!is_absent("12x"));
  CHECK(!is_absent("0"));
}

TEST_CASE("what one number shows") {
  CHECK(number_evidence("12") == NumberEvidence::none);
  CHECK(number_evidence("1.2.3") == NumberEvidence::none);
  CHECK(number_evidence("127.0.0.1") == NumberEvidence::none);
  CHECK(number_evidence("0.123") == NumberEvidence::decimal_point);
  CHECK(number_evidence("1234.567") == NumberEvidence::decimal_point);
  CHECK(number_evidence("1.5") == NumberEvidence::decimal_point);
  CHECK(number_evidence("1,234,567") == NumberEvidence::decimal_point);
  CHECK(number_evidence("1,234.56") == NumberEvidence::decimal_point);
  CHECK(number_evidence("1.234.567") == NumberEvidence::decimal_comma);
  CHECK(number_evidence("1.234,56") == NumberEvidence::decimal_comma);
  CHECK(number_evidence("1 234,567") == NumberEvidence::decimal_comma);
  CHECK(number_evidence("0,5") == NumberEvidence::decimal_comma);
  CHECK(number_evidence("1,234") == NumberEvidence::ambiguous);
  CHECK(number_evidence("1.234") == NumberEvidence::ambiguous);
}

TEST_CASE("a file's format follows from its unambiguous numbers") {
  CHECK(decided({"1,234", "5.5"}, ',').decimal() == '.');
  CHECK(decided({"1.234", "5,5"}, ';').decimal() == ',');
  CHECK(decided({"1.234", "5,5"}, ',').decimal() == ',');
  CHECK(decided({"1,234"}, ',').decimal() == '.');
  CHECK(decided({"12"}, ';').decimal() == '.');
}

TEST_CASE("a file with both kinds, or with ambiguous numbers only, is refused") {
  const std::string both = message_of([] { decided({"1,5", "2.5"}, ','); });
  has(both, "f:2:1: error: found '2.5' with a decimal point");
  has(both, "f:1:1: error: found '1,5' with a decimal comma, expected one kind of numbers");
  has(message_of([] {
        decided({"7", "1.234"}, ';');
      }),
      "f:2:1: error: found '1.234', which may be a thousand or a fraction");
}

TEST_CASE("units are brought to what --print-units base prints") {
  CHECK(base_unit_factor("") == 1);
  CHECK(base_unit_factor("%") == 1);
  CHECK(base_unit_factor("ns") == 1);
  CHECK(base_unit_factor("us") == 1e3);
  CHECK(base_unit_factor("usecond") == 1e3);
  CHECK(base_unit_factor("msecond") == 1e6);
  CHECK(base_unit_factor("second") == 1e9);
  CHECK(base_unit_factor("hz") == 1);
  CHECK(base_unit_factor("Ghz") == 1e9);
  CHECK(base_unit_factor("Kbyte") == 1e3);
  CHECK(base_unit_factor("Kbyte/block") == 1e3);
  CHECK(base_unit_factor("Tbyte/s") == 1e12);
  CHECK(base_unit_factor("byte/second") == 1);
  CHECK(base_unit_factor("cycle/nsecond") == 1e9);
  CHECK(base_unit_factor("inst/cycle") == 1);
  CHECK(base_unit_factor("register/thread") == 1);
  CHECK(base_unit_factor("%/byte") == 1);
}
