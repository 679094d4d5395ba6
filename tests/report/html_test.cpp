// HTML pages as text; tests/web opens them in a browser.
#include <nlohmann/json.hpp>

#include "sim/report/html_pack.hpp"
#include "sim/report/html_page.hpp"
#include "sim/report/html_static.hpp"
#include "sim/report/html_text.hpp"
#include "tests/catch.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("text is shown in HTML as it stands") {
  CHECK(html_escaped("a<b & \"c\" > 'd'") == "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(json_for_script({{"name", "</script><!--"}}) == R"({"name":"\u003c/script>\u003c!--"})");
}

TEST_CASE("values are written for people, null as a dash") {
  CHECK(html_value(1234567) == "1,234,567");
  CHECK(html_value(0.5) == "0.50");
  CHECK(html_value(nullptr) == "-");
  CHECK(html_value("<b>") == "&lt;b&gt;");
}

TEST_CASE("long lists of whole numbers are packed, others stay") {
  const Json short_list = {1, 2, 3};
  CHECK(html_packed(short_list) == short_list);
  const Json mixed = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13.5};
  CHECK(html_packed(mixed) == mixed);
  // 100, then differences of 1: 200 = 8 + 6 * 32, and 2 for each of the others.
  const Json steps = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111};
  CHECK(html_packed(steps) == Json({{"packed", "oGCCCCCCCCCCC"}, {"step", 1}}));
  Json rows = Json::array();
  for (int i = 0; i < 12; ++i) {
    rows.push_back({i, -1});
  }
  CHECK(html_packed(rows)["row"] == 2);
  CHECK(html_packed({{"list", steps}})["list"]["step"] == 1);
}

TEST_CASE("a report without scripts has the verdict, the tables, and nothing from names") {
  const Json run = {{"kernel", "<i>k</i>"},
                    {"gpu", "h200"},
                    {"status", "completed"},
                    {"metrics", {{"launch__occupancy_limit_warps", 8}, {"a__metric", 1.5}}},
                    {"stalls", {{"wait", 3}, {"selected", 1}, {"misc", nullptr}}},
                    {"verdict", {{"summary", "it <waits>"}, {"bounds", Json::array()}}},
                    {"notes", {"a note"}}};
  const std::string html = html_static_report(run);
  CHECK(html.find("<i>") == std::string::npos);
  CHECK(html.find("it &lt;waits&gt;") != std::string::npos);
  CHECK(html.find("<th scope='row'>wait</th><td class='number'>3</td>") != std::string::npos);
  CHECK(html.find("<th scope='row'>warps</th><td class='number'>8</td>") != std::string::npos);
  CHECK(html.find("<li>a note</li>") != std::string::npos);
}

TEST_CASE("a report of a document that lacks everything is still a page") {
  CHECK(html_static_report(Json::object()).find("<h1>") != std::string::npos);
  if (!html_available()) {
    CHECK_THROWS(html_page(std::vector<Json>{Json::object()}));
    return;
  }
  const std::string page =
      html_page(HtmlContent{"lesson", "A <lesson>", {{"steps", {1, 2}}}, "<p>text</p>"});
  CHECK(page.find("<title>A &lt;lesson></title>") == std::string::npos);
  CHECK(page.find("<title>A &lt;lesson&gt;</title>") != std::string::npos);
  CHECK(page.find(R"({"kind":"lesson","steps":[1,2]})") != std::string::npos);
  CHECK(page.find("<p>text</p>") != std::string::npos);
}

}  // namespace
}  // namespace smsim
