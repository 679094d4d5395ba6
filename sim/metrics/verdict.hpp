// What bounds the kernel, and what to try.
#pragma once

#include "sim/metrics/metric_definition.hpp"

namespace smsim {

/// `inputs.roofline` becomes part of the verdict.
Verdict make_verdict(const MetricInputs& inputs);

}  // namespace smsim
