#include "sim/metrics/metrics.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace smsim {
namespace {

// Collects values, and the reasons of those that are missing.
class MetricBuilder {
 public:
  void add(const char* name, const char* unit, const MetricValue& value) {
    const bool finite = value.number && std::isfinite(*value.number);
    list_.metrics.push_back({name, unit, finite ? value.number : std::nullopt});
    if (!finite) {
      add_reason(name, value.why != nullptr ? value.why : "not a number");
    }
  }

  MetricList take() {
    for (const auto& [why, names] : reasons_) {
      list_.missing.push_back(fmt::format("null, because {}: {}", why, names));
    }
    return std::move(list_);
  }

 private:
  void add_reason(const std::string& name, const std::string& why) {
    for (auto& [known, names] : reasons_) {
      if (known == why) {
        names += ", " + name;
        return;
      }
    }
    reasons_.emplace_back(why, name);
  }

  MetricList list_;
  std::vector<std::pair<std::string, std::string>> reasons_;
};

MetricInfo info(const MetricDefinition& d) {
  return {d.name, d.unit, d.label, d.definition};
}

MetricInfo stall_info(std::size_t i) {
  const auto state = static_cast<WarpState>(i);
  return {stall_metric_name(state), "cycle", std::string("Stall ") + kWarpStateNames[i],
          std::string(stall_definition(state)) + "; warp-cycles per issued instruction"};
}

std::vector<MetricInfo> make_infos() {
  std::vector<MetricInfo> infos;
  for (const auto table : {launch_metrics(), occupancy_metrics(), scheduler_metrics()}) {
    for (const MetricDefinition& d : table) {
      infos.push_back(info(d));
    }
  }
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    infos.push_back(stall_info(i));
  }
  for (const auto table : {memory_metrics(), own_metrics()}) {
    for (const MetricDefinition& d : table) {
      infos.push_back(info(d));
    }
  }
  return infos;
}

}  // namespace

const std::vector<MetricInfo>& metric_infos() {
  static const std::vector<MetricInfo> kInfos = make_infos();
  return kInfos;
}

std::array<std::optional<double>, kWarpStates> compute_stalls(const SimulationResult& run,
                                                              const Totals& total) {
  std::array<std::optional<double>, kWarpStates> stalls;
  if (run.status == Status::launch_failure) {
    return stalls;
  }
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    stalls[i] = ratio(total.state[i], total.issued, kNothingIssued).number;
  }
  return stalls;
}

MetricList compute_metrics(const MetricInputs& inputs) {
  MetricBuilder builder;
  for (const auto table : {launch_metrics(), occupancy_metrics()}) {
    for (const MetricDefinition& d : table) {
      builder.add(d.name, d.unit, d.compute(inputs));
    }
  }
  const bool launched = inputs.run.status != Status::launch_failure;
  const MetricValue not_launched = missing("the kernel cannot be launched");
  const auto add_measured = [&](const MetricDefinition& d) {
    builder.add(d.name, d.unit, launched ? d.compute(inputs) : not_launched);
  };
  for (const MetricDefinition& d : scheduler_metrics()) {
    add_measured(d);
  }
  const auto stalls = compute_stalls(inputs.run, inputs.total);
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    const std::string name = stall_metric_name(static_cast<WarpState>(i));
    builder.add(name.c_str(), "cycle",
                launched ? MetricValue{stalls[i], kNothingIssued} : not_launched);
  }
  for (const auto table : {memory_metrics(), own_metrics()}) {
    for (const MetricDefinition& d : table) {
      add_measured(d);
    }
  }
  return builder.take();
}

std::optional<double> Result::value(std::string_view name) const {
  for (const Metric& metric : metrics) {
    if (metric.name == name) {
      return metric.value;
    }
  }
  throw std::out_of_range("no metric is called " + std::string(name));
}

}  // namespace smsim
