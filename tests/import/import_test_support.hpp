// What the tests of the readers share.
#pragma once

#include <string>

#include "smsim/diagnostic.hpp"
#include "tests/catch.hpp"

namespace smsim::test {

/// The message of the InputError that `read` throws; "" when it throws none.
template <class Read>
std::string message_of(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

/// A file or folder of the measured profiles.
inline std::string reference(const std::string& path) {
  return std::string(SMSIM_SOURCE_DIR) + "/validate/reference/h200/" + path;
}

inline std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

}  // namespace smsim::test
