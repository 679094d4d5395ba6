#pragma once

namespace smsim {

/// Version of the library, "major.minor.patch".
const char* version();

}  // namespace smsim
