// The page of a validation: complete in itself, and safe whatever the names.
#include <algorithm>
#include <regex>

#include "sim/compare/validation_report.hpp"
#include "tests/catch.hpp"
#include "tests/compare/validated.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::vector<ValidatedReference> sample() {
  std::vector<ValidatedReference> all;
  for (const Use use : {Use::fit, Use::develop, Use::held_out}) {
    all.push_back(validated(to_string(use),
                            {{kCyclesMetric, {1100, 1000}},
                             {kOccupancyMetric, {50, 60}},
                             {kEligibleMetric, {1, 2}},
                             {kIssueMetric, {30, 40}}},
                            {{"wait", {1, 2}}, {"barrier", {2, 1}}}));
    all.back().reference.use = use;
    all.back().reference.pair = "same";
  }
  all.push_back(import_failed("broken"));
  return all;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Every opened element of these kinds is closed.
void is_balanced(const std::string& page) {
  for (const char* tag : {"html", "head", "body", "style", "svg", "figure", "table", "div", "text",
                          "circle", "rect", "title", "tr", "td", "h1", "h2", "p"}) {
    INFO(tag);
    const std::regex opening(std::string("<") + tag + "[ >]");
    const auto opened = std::distance(std::sregex_iterator(page.begin(), page.end(), opening), {});
    CHECK(static_cast<std::size_t>(opened) == count(page, std::string("</") + tag + ">"));
  }
}

}  // namespace

TEST_CASE("the page has a plot for each of four metrics, and the tables") {
  const std::string page = validation_page(sample());
  CHECK(page.find("<!doctype html>") == 0);
  CHECK(count(page, "<svg ") == 4);
  for (const char* part :
       {"Elapsed cycles", "Achieved occupancy", "Eligible warps", "Issue slots", "<h2>Summary</h2>",
        "<h2>Families</h2>", "<h2>What if</h2>", "<h2>References</h2>"}) {
    INFO(part);
    CHECK(page.find(part) != std::string::npos);
  }
  is_balanced(page);
}

TEST_CASE("the page runs no scripts and loads nothing") {
  const std::string page = validation_page(sample());
  for (const char* part : {"<script", "javascript:", "http:", "https:", "//", "src=", "href",
                           "url(", "@import", "<link", "<img", "<iframe", "onload", "onclick"}) {
    INFO(part);
    CHECK(page.find(part) == std::string::npos);
  }
}

TEST_CASE("uses differ by the shape of their marks") {
  const std::string page = validation_page(sample());
  CHECK(count(page, "<path class='fit'") == 4);
  CHECK(count(page, "<rect class='develop'") == 4);
  CHECK(count(page, "<circle class='held_out'") == 4);
}

TEST_CASE("a mark says what it is") {
  CHECK(validation_page(sample()).find(
            "<title>held_out: measured 1,000, predicted 1,100</title>") != std::string::npos);
}

TEST_CASE("what was not imported stands in the table with the reason, and in no plot") {
  const std::string page = validation_page(sample());
  CHECK(page.find("<td>broken</td>") != std::string::npos);
  CHECK(page.find("import_failed: error: found no raw.csv") != std::string::npos);
  CHECK(page.find("<title>broken") == std::string::npos);
}

TEST_CASE("names are text, never markup") {
  std::vector<ValidatedReference> all = sample();
  all[0].reference.name = "<script>alert(\"1\")</script> & co";
  all[1].reference.family = "<b>bold";
  all[3].failure = "found <i>";
  const std::string page = validation_page(all);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("<i>") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; co") !=
        std::string::npos);
  is_balanced(page);
}

TEST_CASE("marks lie within the plot, from one cycle to very many") {
  for (const double value : {1.0, 9.99, 10.0, 1e6, 1e15}) {
    const std::string page = validation_page({cycles("a", value, value)});
    const std::regex mark("<rect class='develop' x='([^']*)' y='([^']*)'");
    std::smatch found;
    REQUIRE(std::regex_search(page, found, mark));
    for (const auto& part : {found[1], found[2]}) {
      CHECK(std::stod(part) >= 0);
      CHECK(std::stod(part) <= 380);
    }
  }
}

TEST_CASE("a logarithmic axis has no place for 0, and no plot is left without points") {
  const std::string page = validation_page({cycles("a", 0, 100), cycles("b", 100, 0)});
  CHECK(count(page, "<svg ") == 0);
  CHECK(page.find("nan") == std::string::npos);
  CHECK(page.find("inf") == std::string::npos);
}

TEST_CASE("a page of nothing is a page") {
  const std::string page = validation_page({});
  CHECK(page.find("<h2>Summary</h2>") != std::string::npos);
  is_balanced(page);
}
