#include "sim/kernel/dialect.hpp"

namespace smsim::sass {

Dialect dialect_of(const GpuSpec& gpu) {
  const int version = gpu.compute_capability.major * 10 + gpu.compute_capability.minor;
  Dialect dialect;
  dialect.constant_operands = version < 90;
  dialect.uniform_registers = version >= 75;
  dialect.descriptors = version >= 80;
  dialect.shared_window = version >= 90;
  dialect.load_uniform = version >= 100 ? "LDCU" : "ULDC";
  return dialect;
}

}  // namespace smsim::sass
