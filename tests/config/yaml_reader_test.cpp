#include "sim/config/yaml_reader.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace smsim;

namespace {

// Reads `text` as a mapping with one key "a", by `read`, and returns the messages.
template <class Read>
std::string messages(const std::string& text, Read read) {
  Diagnostics problems;
  const auto document = load_yaml_text(text, "in.yaml", problems);
  if (document) {
    const ReadContext context{"in.yaml", problems};
    MappingReader mapping(context, *document);
    if (const auto node = mapping.find("a")) {
      read(context, *node);
    }
    mapping.finish();
  }
  std::string all;
  for (const Diagnostic& problem : problems.all()) {
    all += to_string(problem) + "\n";
  }
  return all;
}

std::string integer_messages(const std::string& text) {
  return messages(text, [](const ReadContext& context, const YAML::Node& node) {
    read_integer(context, node, 1, 5);
  });
}

}  // namespace

TEST_CASE("an integer in range is read without a word") {
  CHECK(integer_messages("a: 3") == "");
  CHECK(integer_messages("a: +3") == "");
}

TEST_CASE("whatever is no integer in range is named, with its place and what was expected") {
  CHECK(integer_messages("\na:  7") ==
        "in.yaml:2:5: error: found '7', expected an integer from 1 to 5\n");
  CHECK(integer_messages("a: 3.5") ==
        "in.yaml:1:4: error: found '3.5', expected an integer from 1 to 5\n");
  CHECK(integer_messages("a: [3]") ==
        "in.yaml:1:4: error: found a list, expected an integer from 1 to 5\n");
  CHECK(integer_messages("a: {b: 1}") ==
        "in.yaml:1:4: error: found a mapping, expected an integer from 1 to 5\n");
  CHECK(integer_messages("a: 99999999999999999999") ==
        "in.yaml:1:4: error: found '99999999999999999999', expected an integer from 1 to 5\n");
}

TEST_CASE("numbers are finite and in range") {
  const auto number = [](const std::string& text) {
    return messages(text, [](const ReadContext& context, const YAML::Node& node) {
      read_number(context, node, 0, 1);
    });
  };
  CHECK(number("a: 0.25") == "");
  CHECK(number("a: 1e-3") == "");
  CHECK(number("a: nan") == "in.yaml:1:4: error: found 'nan', expected a number from 0 to 1\n");
  CHECK(number("a: inf") == "in.yaml:1:4: error: found 'inf', expected a number from 0 to 1\n");
}

TEST_CASE("a truth value is true or false") {
  const auto truth = [](const std::string& text) {
    return messages(
        text, [](const ReadContext& context, const YAML::Node& node) { read_bool(context, node); });
  };
  CHECK(truth("a: true") == "");
  CHECK(truth("a: maybe") == "in.yaml:1:4: error: found 'maybe', expected true or false\n");
}

TEST_CASE("a choice suggests the nearest one") {
  const auto choice = [](const std::string& text) {
    return messages(text, [](const ReadContext& context, const YAML::Node& node) {
      read_choice(context, node, {"coalesced", "random"});
    });
  };
  CHECK(choice("a: random") == "");
  CHECK(choice("a: randon") ==
        "in.yaml:1:4: error: found 'randon', expected one of coalesced, random; did you mean "
        "'random'?\n");
}

TEST_CASE("keys are known, and stand once") {
  CHECK(integer_messages("a: 1\nA: 1") ==
        "in.yaml:2:1: error: found unknown key 'A', expected one of a; did you mean 'a'?\n");
  CHECK(integer_messages("a: 1\na: 2") ==
        "in.yaml:2:1: error: found 'a' a second time, expected each key once\n");
  CHECK(integer_messages("[a]: 1") ==
        "in.yaml:1:1: error: found a list as a key, expected a name\n");
}

TEST_CASE("what is no mapping is named") {
  CHECK(integer_messages("[1, 2]") == "in.yaml:1:1: error: found a list, expected a mapping\n");
  CHECK(integer_messages("") == "in.yaml: error: found an empty file, expected a YAML mapping\n");
  CHECK(integer_messages("a: 1\n---\na: 2") ==
        "in.yaml:3:1: error: found a second document, expected one\n");
  CHECK(integer_messages("a: [1").find("in.yaml:1:") == 0);
}

TEST_CASE("a missing key that is required is reported") {
  Diagnostics problems;
  const auto document = load_yaml_text("b: 1", "in.yaml", problems);
  MappingReader mapping({"in.yaml", problems}, *document);
  CHECK_FALSE(mapping.require("a"));
  REQUIRE(problems.all().size() == 1);
  CHECK(problems.all()[0].message == "found no 'a', expected one");
}

TEST_CASE("a file that is not there is reported, not thrown") {
  Diagnostics problems;
  CHECK_FALSE(load_yaml_file("/does/not/exist.yaml", problems));
  REQUIRE(problems.all().size() == 1);
  CHECK(to_string(problems.all()[0]) ==
        "/does/not/exist.yaml: error: cannot be read: No such file or directory");
}

TEST_CASE("all problems travel in one exception, in the order of the file") {
  Diagnostics problems;
  problems.throw_if_any();
  YAML::Mark second;
  second.line = 4;
  problems.add("in.yaml", second, "later");
  problems.add("in.yaml", YAML::Mark(), "sooner");
  try {
    problems.throw_if_any();
    FAIL("nothing thrown");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) == "in.yaml:1:1: error: sooner\nin.yaml:5:1: error: later");
    CHECK(error.diagnostics().size() == 2);
  }
}
