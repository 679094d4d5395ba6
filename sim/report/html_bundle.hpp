// The script and the style sheet of HTML pages: bundled from web/ while the program is built, and
// there only with SMSIM_HAVE_WEB.
#pragma once

#include <string>

namespace smsim {

std::string html_script();
std::string html_style();

}  // namespace smsim
