#include "smsim/version.hpp"

namespace smsim {

const char* version() {
  return SMSIM_VERSION;
}

}  // namespace smsim
