// smsim documents (one or two) as an HTML page on standard output: what the tests of the page open.
#include <fstream>
#include <iostream>

#include "sim/report/html_page.hpp"

int main(int argc, char** argv) {
  std::vector<nlohmann::ordered_json> runs;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    runs.push_back(nlohmann::ordered_json::parse(file));
  }
  if (runs.empty() || !smsim::html_available()) {
    std::cerr << "usage: page_of_json A.json [B.json], in a build with SMSIM_WEB\n";
    return 2;
  }
  std::cout << smsim::html_page(runs);
  return 0;
}
