#include "sim/report/html_page.hpp"

#include <stdexcept>

#include "sim/report/html_bundle.hpp"
#include "sim/report/html_pack.hpp"
#include "sim/report/html_static.hpp"
#include "sim/report/html_text.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

// The browser itself refuses everything that is not in the file.
constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="smsim">
<link rel="icon" href="data:,">
<title>)";

std::string name_of(const Json& run) {
  const auto text = [&](const char* key) {
    return run.is_object() && run.contains(key) && run[key].is_string()
               ? run[key].get<std::string>()
               : std::string("?");
  };
  return text("kernel") + " on " + text("gpu");
}

}  // namespace

#ifdef SMSIM_HAVE_WEB

bool html_available() {
  return true;
}

std::string html_page(const HtmlContent& content) {
  Json data = {{"kind", content.kind}};
  data.update(content.data);
  return kHead + html_escaped(content.title) + "</title>\n<style>" + html_style() +
         "</style></head>\n<body>\n<main id=\"smsim-static\">\n" + content.static_body +
         "</main>\n<div id=\"smsim-page\"></div>\n"
         "<script type=\"application/json\" id=\"smsim-data\">" +
         json_for_script(html_packed(data)) + "</script>\n<script>" + html_script() +
         "</script>\n</body></html>\n";
}

#else

bool html_available() {
  return false;
}

std::string html_page(const HtmlContent&) {
  throw std::logic_error("this build of smsim has no HTML pages: node was missing");
}

#endif

std::string html_page(const std::vector<Json>& runs) {
  HtmlContent content{"report", "", {{"runs", runs}}, ""};
  for (const Json& run : runs) {
    content.title += (content.title.empty() ? "" : " and ") + name_of(run);
    content.static_body += html_static_report(run);
  }
  content.title += " - smsim";
  return html_page(content);
}

}  // namespace smsim
