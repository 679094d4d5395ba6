// Whole outputs, kept as files. To rewrite them after a wanted change:
//   SMSIM_UPDATE_GOLDEN=1 ctest --preset release
// and read the difference before committing it.
#pragma once

#include <string>

namespace smsim::test {

/// The kept text of tests/<folder>/golden/<name>; with SMSIM_UPDATE_GOLDEN set, `actual` is kept
/// first.
std::string golden(const std::string& folder, const std::string& name, const std::string& actual);

}  // namespace smsim::test
