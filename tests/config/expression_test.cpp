#include "sim/config/expression.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace smsim;

namespace {

const ExpressionScope kScope{{{"n", 1000}, {"block", 256}, {"gpu.sms", 132}}, false};

double value(const std::string& text) {
  ExpressionError error;
  const auto form = evaluate(text, kScope, error);
  INFO(text << ": " << error.message);
  REQUIRE(form);
  CHECK(form->is_number());
  return form->constant;
}

std::string problem(const std::string& text, const ExpressionScope& scope = kScope) {
  ExpressionError error;
  CHECK(!evaluate(text, scope, error));
  return std::to_string(error.column) + ": " + error.message;
}

}  // namespace

TEST_CASE("arithmetic has the usual precedence") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 4 - 3") == 3);
  CHECK(value("2 ^ 3 ^ 2") == 512);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("7 % 4") == 3);
  CHECK(value("1 / 4") == 0.25);
  CHECK(value("65_536 + 1e3 + .5") == 66536.5);
  CHECK(value("0xff") == 255);
}

TEST_CASE("names, functions and comparisons") {
  CHECK(value("ceil(n / block)") == 4);
  CHECK(value("gpu.sms * 2") == 264);
  CHECK(value("min(n, block, 7)") == 7);
  CHECK(value("max(1, log2(block))") == 8);
  CHECK(value("pow(2, 10) + floor(1.5) + round(1.5) + abs(-1) + sqrt(4)") == 1030);
  CHECK(value("n > block") == 1);
  CHECK(value("n <= block") == 0);
  CHECK(value("choose(n == 1000, 5, 6)") == 5);
  CHECK(value("choose(n != 1000, 5, 6)") == 6);
}

TEST_CASE("open names stay in the result") {
  ExpressionScope open = kScope;
  open.open = true;
  ExpressionError error;
  const auto form = evaluate("2 * (i + 3) - k * block + n", open, error);
  REQUIRE(form);
  CHECK(form->constant == 1006);
  CHECK(form->terms == std::map<std::string, double>{{"i", 2}, {"k", -256}});
  CHECK(problem("i * k", open) ==
        "2: found a product of two values that only the running program knows, expected a constant "
        "factor: compute it with an operation such as IMAD");
  CHECK(problem("min(i, 3)", open) ==
        "4: found 'i', which only the running program knows, expected a number here");
}

TEST_CASE("every mistake is placed and named") {
  CHECK(problem("") == "0: found the end, expected a number or a name");
  CHECK(problem("1 +") == "3: found the end, expected a number or a name");
  CHECK(problem("1 + )") == "4: found ')', expected a number, a name or '('");
  CHECK(problem("(1 + 2") == "6: found no ')', expected one");
  CHECK(problem("1 2") == "2: found '2', expected an operator or the end");
  CHECK(problem("blok") ==
        "0: found unknown name 'blok', expected a parameter or a number; did you mean 'block'?");
  CHECK(
      problem("ciel(1)") ==
      "0: found unknown function 'ciel', expected one of abs, ceil, choose, floor, log2, max, min, "
      "pow, round, sqrt; did you mean 'ceil'?");
  CHECK(problem("pow(2)") == "0: found 1 arguments of 'pow', expected 2");
  CHECK(problem("min()") == "4: found ')', expected a number, a name or '('");
  CHECK(problem("1 / 0") == "2: found a division by zero, expected another divisor");
  CHECK(problem("1 % 0") == "2: found a remainder by zero, expected another divisor");
  CHECK(problem("1e308 * 10") == "0: found a result that is not a finite number, expected one");
  CHECK(problem("log2(0 - 1)") == "0: found a result that is not a finite number, expected one");
  CHECK(problem("1.2.3") == "0: found '1.2.3', expected a number");
  CHECK(problem("0xzz") == "0: found '0x', expected a hexadecimal number up to 2^53");
}

TEST_CASE("length and nesting are limited") {
  CHECK(problem(std::string(3000, '1')).find("found an expression of 3000 characters") !=
        std::string::npos);
  CHECK(problem(std::string(500, '(')).find("found parentheses nested more than 64 deep") !=
        std::string::npos);
  CHECK(problem(std::string(1500, '-')) == "1500: found the end, expected a number or a name");
}

TEST_CASE("names of an expression") {
  CHECK(names_in("ceil(n / block) * gpu.sms + 1e3") ==
        std::set<std::string>{"n", "block", "gpu.sms"});
  CHECK(is_name("acc.r.c"));
  CHECK(!is_name("1x"));
  CHECK(!is_name("a-b"));
}
