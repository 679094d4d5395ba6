// smsim gpus: what GPUs there are, and where each figure of one comes from.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/arch/gpu_fields.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/report/csv_field.hpp"
#include "sim/report/text_writer.hpp"
#include "smsim/gpu_file.hpp"

namespace smsim::cli {
namespace {

std::string or_dash(double value) {
  return value == 0 ? "-" : fmt::format("{:.0f}", value);
}

void list_text(const std::vector<LoadedGpu>& gpus) {
  fmt::print("{:<13} {:>4} {:>4} {:>5} {:>5} {:>6} {:>6}\n", "name", "cc", "SMs", "MHz", "L1 KB",
             "L2 MiB", "GB/s");
  for (const LoadedGpu& gpu : gpus) {
    const GpuSpec& spec = gpu.spec;
    const bool product = spec.topology.sms > 0;
    fmt::print("{:<13} {:>4} {:>4} {:>5} {:>5} {:>6} {:>6}  {}\n", spec.name,
               to_string(spec.compute_capability), or_dash(spec.topology.sms),
               or_dash(spec.clocks.sm_mhz), spec.limits.l1_smem_kb,
               or_dash(static_cast<double>(spec.l2.size_bytes) / (1 << 20)),
               or_dash(spec.dram.bandwidth_gbps),
               product ? spec.title : "as " + spec.reference_product + " in a run");
  }
  fmt::print("\n'smsim gpus NAME' prints one with the source of every figure.\n");
}

void list_csv(const std::vector<LoadedGpu>& gpus) {
  fmt::print("name,cc,sms,sm_mhz,l1_smem_kb,l2_bytes,dram_gbps,title\n");
  for (const LoadedGpu& gpu : gpus) {
    const GpuSpec& spec = gpu.spec;
    fmt::print("{},{},{},{},{},{},{},{}\n", csv_field(spec.name),
               to_string(spec.compute_capability), spec.topology.sms, spec.clocks.sm_mhz,
               spec.limits.l1_smem_kb, spec.l2.size_bytes, spec.dram.bandwidth_gbps,
               csv_field(spec.title));
  }
}

void list_json(const std::vector<LoadedGpu>& gpus) {
  auto list = nlohmann::ordered_json::array();
  for (const LoadedGpu& gpu : gpus) {
    const GpuSpec& spec = gpu.spec;
    list.push_back({{"name", spec.name},
                    {"title", spec.title},
                    {"compute_capability", to_string(spec.compute_capability)},
                    {"sms", spec.topology.sms},
                    {"sm_mhz", spec.clocks.sm_mhz},
                    {"l1_smem_kb", spec.limits.l1_smem_kb},
                    {"l2_bytes", spec.l2.size_bytes},
                    {"dram_gbps", spec.dram.bandwidth_gbps},
                    {"reference_product", spec.reference_product}});
  }
  fmt::print("{}\n", list.dump(2));
}

std::string section_of(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

// Sources are long and shared by many figures: numbered in the table, spelled out below it.
class SourceNotes {
 public:
  int number(const std::string& source) {
    const auto found = std::find(notes_.begin(), notes_.end(), source);
    if (found != notes_.end()) {
      return static_cast<int>(found - notes_.begin()) + 1;
    }
    notes_.push_back(source);
    return static_cast<int>(notes_.size());
  }
  void print() const {
    TextWriter out;
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      const std::string number = fmt::format("[{}] ", i + 1);
      out.paragraph(notes_[i], number, std::string(number.size(), ' '));
    }
    fmt::print("{}", out.take());
  }

 private:
  std::vector<std::string> notes_;
};

void print_counts(const LoadedGpu& gpu) {
  std::map<SourceStatus, int> counts;
  for (const FieldSource& source : gpu.sources) {
    ++counts[source.status];
  }
  fmt::print("\n{} figures: {} verified, {} secondary, {} derived, {} unverified\n\n",
             gpu.sources.size(), counts[SourceStatus::verified], counts[SourceStatus::secondary],
             counts[SourceStatus::derived], counts[SourceStatus::unverified]);
}

std::string heading(const std::string& section) {
  return section == "operations" ? "operations (pipe, interval and latency in cycles; v: variable)"
                                 : section;
}

// Operations are shorter here than in a file: "alu 2 4".
std::string short_value(const LoadedGpu& gpu, const std::string& name, const FieldSource& source) {
  const auto found = gpu.spec.operations.find(name);
  if (section_of(source.path) != "operations" || found == gpu.spec.operations.end()) {
    return source.value;
  }
  const Operation& operation = found->second;
  return fmt::format("{} {:3} {:3} {}", to_string(operation.pipe), operation.issue_interval_cycles,
                     operation.latency_cycles, operation.variable_latency ? 'v' : ' ');
}

void one_text(const LoadedGpu& gpu) {
  fmt::print("{}: {} (compute capability {})\n", gpu.spec.name, gpu.spec.title,
             to_string(gpu.spec.compute_capability));
  if (!gpu.spec.reference_product.empty()) {
    fmt::print("a compute capability, no product: a run uses {} in its place\n",
               gpu.spec.reference_product);
  }
  SourceNotes notes;
  std::string section;
  for (const FieldSource& source : gpu.sources) {
    if (section_of(source.path) != section) {
      section = section_of(source.path);
      fmt::print("\n{}\n", heading(section));
    }
    const std::string name = section.empty() ? source.path : source.path.substr(section.size() + 1);
    const std::string value = short_value(gpu, name, source);
    const std::string reason = !source.source.empty() ? source.source
                               : source.file.empty()  ? "a default of smsim"
                                                      : "the file names no source";
    const std::string status =
        fmt::format("{} [{}]", to_string(source.status), notes.number(reason));
    // A list too long for its column pushes the rest to the next line.
    constexpr std::size_t kValueWidth = 22;
    if (value.size() > kValueWidth) {
      fmt::print("  {:<34} {}\n  {:<57} {}\n", name, value, "", status);
    } else {
      fmt::print("  {:<34} {:>22} {}\n", name, value, status);
    }
  }
  print_counts(gpu);
  notes.print();
}

void one_csv(const LoadedGpu& gpu) {
  fmt::print("field,value,status,source\n");
  for (const FieldSource& source : gpu.sources) {
    fmt::print("{},{},{},{}\n", csv_field(source.path), csv_field(source.value),
               to_string(source.status), csv_field(source.source));
  }
}

void one_json(const LoadedGpu& gpu) {
  nlohmann::ordered_json object;
  object["name"] = gpu.spec.name;
  object["title"] = gpu.spec.title;
  object["reference_product"] = gpu.spec.reference_product;
  auto& fields = object["fields"] = nlohmann::ordered_json::object();
  for (const FieldSource& source : gpu.sources) {
    fields[source.path] = {{"value", source.value},
                           {"status", to_string(source.status)},
                           {"source", source.source},
                           {"file", source.file},
                           {"line", source.line}};
  }
  fmt::print("{}\n", object.dump(2));
}

// Volta first, and the compute capability before its products.
void sort_by_age(std::vector<LoadedGpu>& gpus) {
  std::stable_sort(gpus.begin(), gpus.end(), [](const LoadedGpu& a, const LoadedGpu& b) {
    const auto key = [](const GpuSpec& gpu) {
      return std::make_tuple(gpu.compute_capability.major, gpu.compute_capability.minor,
                             gpu.topology.sms > 0);
    };
    return key(a.spec) < key(b.spec);
  });
}

}  // namespace

int run_gpus(const Arguments& arguments) {
  CommandLine line(
      "gpus [NAME|FILE] [options]",
      "Lists the GPUs that smsim knows, or prints one with the source and the status of "
      "every figure.\nA file of your own works like a name: see configs/gpus/README.md.",
      "  smsim gpus\n"
      "  smsim gpus h200\n"
      "  smsim gpus my_gpu.yaml --format json\n");
  line.inputs(1).value("gpu", "NAME|FILE", "the same as the input");
  line.value("format", "F", "text (default), json or csv");
  if (!line.parse(arguments)) {
    return kDone;
  }
  const std::string format = line.choice("format", "text", {"text", "json", "csv"});
  line.finish();
  const std::string name = line.inputs().empty() ? line.text("gpu", "") : line.inputs()[0];
  if (!name.empty()) {
    const LoadedGpu gpu = load_gpu(name);
    format == "json" ? one_json(gpu) : format == "csv" ? one_csv(gpu) : one_text(gpu);
    return kDone;
  }
  std::vector<LoadedGpu> gpus;
  for (const std::string& known : gpu_names()) {
    gpus.push_back(load_gpu(known));
  }
  sort_by_age(gpus);
  format == "json" ? list_json(gpus) : format == "csv" ? list_csv(gpus) : list_text(gpus);
  return kDone;
}

}  // namespace smsim::cli
