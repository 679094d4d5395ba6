// smsim occupancy: how many blocks fit on an SM, and what stops the next one.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/occupancy_batch.hpp"
#include "sim/report/csv_field.hpp"
#include "sim/report/occupancy_report.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/occupancy.hpp"

namespace smsim::cli {
namespace {

constexpr std::int64_t kLargest = 1'000'000'000;

CommandLine make_line() {
  CommandLine line(
      "occupancy [NAME|FILE] [options]",
      "How many blocks of a kernel are resident on an SM by NVIDIA's rules, which limit "
      "stops the next block, and what would change that. A kernel's name or file gives the "
      "figures of its launch.",
      "  smsim occupancy --gpu h200 --block 256 --regs 40\n"
      "  smsim occupancy --gpu a100 --block 128 --smem-dynamic 40960 --grid 1000\n"
      "  smsim occupancy --gpu h100 --block 384 --regs 168 --want-blocks 2 --curve regs\n"
      "  smsim occupancy softmax_rows --curve block\n"
      "  smsim occupancy --batch kernels.csv\n"
      "      columns gpu,block,regs,smem_static,smem_dynamic\n");
  line.inputs(1)
      .value("gpu", "NAME|FILE", "GPU (default h200)")
      .value("set", "PATH=VALUE", "change a figure of the kernel; may be repeated")
      .value("block", "B", "threads per block: 256, or 16x16, or 8x8x4")
      .value("regs", "R", "registers per thread (default 32; 0 = they do not limit)")
      .value("smem-static", "BYTES", "static shared memory per block (default 0)")
      .value("smem-dynamic", "BYTES", "dynamic shared memory per block (default 0)")
      .flag("no-optin", "the kernel has not opted in to more than 48 KB")
      .value("cluster", "C", "blocks per cluster (default 1)")
      .value("barriers", "N", "named barriers of a block (default 1)")
      .value("carveout", "PCT", "preferred share of shared memory, 0 to 100")
      .value("smem-config", "KB", "shared-memory split in force, as a profile shows it")
      .value("grid", "N", "blocks of the grid: waves, tail, idle SMs")
      .flag("cooperative", "a cooperative launch: all blocks resident at once")
      .value("want-blocks", "N", "what allows N blocks per SM?")
      .value("curve", "X", "occupancy over block, regs or smem; may be repeated")
      .flag("textbook", "also what a textbook without granularity says")
      .value("batch", "FILE.csv", "one kernel per row; - reads standard input")
      .value("format", "F", "text (default), json or csv");
  return line;
}

// "256", "16x16" or "8x8x4" as a number of threads.
std::int64_t threads_of(CommandLine& line) {
  const std::string text = line.text("block", "");
  std::int64_t product = 1;
  int factors = 0;
  std::size_t begin = 0;
  bool good = !text.empty();
  while (good && begin <= text.size()) {
    const std::size_t end = std::min(text.find_first_of("x,", begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    good = !part.empty() && part.size() <= 9 &&
           part.find_first_not_of("0123456789") == std::string::npos && ++factors <= 3;
    if (good) {
      product = std::min<std::int64_t>(product * std::stoll(part), kLargest);
    }
    begin = end + 1;
  }
  if (!good) {
    line.problem(
        line.has("block")
            ? fmt::format("--block: found '{}', expected threads such as 256 or 16x16", text)
            : "found no --block, expected threads such as 256 or 16x16");
  }
  return product;
}

OccupancyQuestion read_options(CommandLine& line) {
  OccupancyQuestion question;
  BlockRequest& request = question.request;
  request.threads = static_cast<int>(threads_of(line));
  request.registers = static_cast<int>(line.integer("regs", 32, 0, kLargest));
  request.smem_static_bytes = line.integer("smem-static", 0, 0, kLargest);
  request.smem_dynamic_bytes = line.integer("smem-dynamic", 0, 0, kLargest);
  request.smem_optin = !line.has("no-optin");
  request.cluster = static_cast<int>(line.integer("cluster", 1, 1, kLargest));
  request.barriers = static_cast<int>(line.integer("barriers", 1, 0, kLargest));
  request.carveout_pct = static_cast<int>(line.integer("carveout", -1, 0, 100));
  if (line.has("smem-config")) {
    question.smem_config_bytes =
        static_cast<int>(line.integer("smem-config", 0, 0, 1 << 20)) * 1024;
  }
  if (line.has("grid")) {
    question.grid_blocks = static_cast<std::uint64_t>(line.integer("grid", 1, 1, 1LL << 53));
  }
  question.cooperative = line.has("cooperative");
  return question;
}

// The launch as a whole, where the options say enough about it.
LaunchSpec launch_of(const OccupancyQuestion& question) {
  const BlockRequest& request = question.request;
  LaunchSpec launch;
  launch.grid.x = question.grid_blocks.value_or(static_cast<std::uint64_t>(request.cluster));
  launch.block.x = static_cast<std::uint64_t>(request.threads);
  launch.registers = request.registers;
  launch.smem_static_bytes = static_cast<int>(request.smem_static_bytes);
  launch.smem_dynamic_bytes = static_cast<int>(request.smem_dynamic_bytes);
  launch.cluster = request.cluster;
  launch.barriers = request.barriers;
  launch.cooperative = question.cooperative;
  return launch;
}

// Figures that a kernel file has too: given beside one, they change its launch.
const std::vector<std::pair<const char*, const char*>> kLaunchOptions{
    {"block", "launch.block"},
    {"regs", "launch.registers"},
    {"smem-static", "launch.smem_static"},
    {"smem-dynamic", "launch.smem_dynamic"},
    {"cluster", "launch.cluster"},
    {"grid", "launch.grid"}};

OccupancyQuestion read_kernel(const CommandLine& line, const GpuSpec& gpu) {
  std::vector<std::string> overrides = line.texts("set");
  for (const auto& [option, path] : kLaunchOptions) {
    if (line.has(option)) {
      overrides.push_back(std::string(path) + "=" + line.text(option, ""));
    }
  }
  const KernelSpec kernel = load_kernel(line.inputs().front(), overrides, gpu);
  OccupancyQuestion question;
  question.gpu = gpu;
  question.kernel = kernel.name;
  question.request = block_request(kernel.launch);
  question.grid_blocks = kernel.launch.grid.count();
  question.cooperative = kernel.launch.cooperative || line.has("cooperative");
  question.smem_config_bytes = kernel.launch.smem_config_bytes;
  LaunchSpec launch = kernel.launch;
  launch.cooperative = question.cooperative;
  question.failure = launch_failure(gpu, launch);
  return question;
}

OccupancyQuestion read_question(CommandLine& line) {
  const std::string gpu = line.text("gpu", "h200");
  OccupancyQuestion question;
  if (line.inputs().empty()) {
    question = read_options(line);
    line.finish();
    question.gpu = load_gpu(gpu).spec;
    question.failure = launch_failure(question.gpu, launch_of(question));
  } else {
    line.finish();
    question = read_kernel(line, load_gpu(gpu).spec);
  }
  return question;
}

void print_wanted(const OccupancyQuestion& question, int blocks) {
  const int registers = max_registers_for(question.gpu, question.request, blocks);
  const std::int64_t smem = max_dynamic_smem_for(question.gpu, question.request, blocks);
  fmt::print("\nFor {} blocks per SM:\n", blocks);
  fmt::print("  registers      {}\n",
             registers > 0 ? fmt::format("up to {}", registers) : "none: something else limits");
  fmt::print("  shared memory  {}\n",
             smem >= 0 ? fmt::format("up to {} B dynamic", smem) : "none: something else limits");
}

void print_curves(const CommandLine& line, const OccupancyQuestion& question) {
  const GpuSpec& gpu = question.gpu;
  const BlockRequest& request = question.request;
  for (const std::string& over : line.texts("curve")) {
    if (over == "block") {
      // Every size: neighbours with as many blocks differ in warps.
      fmt::print(
          "{}", curve_text("threads per block", curve_over_threads(gpu, request), request.threads));
    } else if (over == "regs") {
      fmt::print("{}", curve_text("registers", corners(curve_over_registers(gpu, request)),
                                  request.registers));
    } else {
      fmt::print("{}", curve_text("dynamic smem, B", corners(curve_over_smem(gpu, request)),
                                  request.smem_dynamic_bytes));
    }
  }
}

void print_csv(const OccupancyQuestion& question) {
  const BlockRequest& request = question.request;
  fmt::print("gpu,block,regs,smem_static,smem_dynamic,{}\n", occupancy_csv_heading());
  fmt::print("{},{},{},{},{},{}\n", csv_field(question.gpu.name), request.threads,
             request.registers, request.smem_static_bytes, request.smem_dynamic_bytes,
             occupancy_csv_values(occupancy(question.gpu, request)));
}

int run_batch(const std::string& file) {
  if (file == "-") {
    fmt::print("{}", occupancy_batch(std::cin, "<stdin>"));
    return kDone;
  }
  std::ifstream input(file);
  if (!input) {
    throw InputError({{file, 0, 0, "cannot be read"}});
  }
  fmt::print("{}", occupancy_batch(input, file));
  return kDone;
}

// What an input makes meaningless.
void refuse_ignored(CommandLine& line, const std::string& format) {
  if (format == "json" || format == "csv") {
    line.refuse({"curve", "textbook", "want-blocks"}, "--format text");
  }
  if (line.has("batch")) {
    line.refuse({"gpu", "set", "block", "regs", "smem-static", "smem-dynamic", "no-optin",
                 "cluster", "barriers", "carveout", "smem-config", "grid", "cooperative",
                 "want-blocks", "curve", "textbook"},
                "one kernel, not with --batch");
    if (format == "json" || !line.inputs().empty()) {
      line.problem("--batch: expected without another input, and without --format json");
    }
  } else if (line.inputs().empty()) {
    line.refuse({"set"}, "the name or the file of a kernel");
  } else {
    line.refuse({"no-optin", "barriers", "carveout", "smem-config"},
                "--block, not with a kernel, which has its own");
  }
}

}  // namespace

int run_occupancy(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) {
    return kDone;
  }
  const std::string format = line.choice("format", "text", {"text", "json", "csv"});
  for (const std::string& over : line.texts("curve")) {
    line.choice_of("curve", over, {"block", "regs", "smem"});
  }
  refuse_ignored(line, format);
  if (line.has("batch")) {
    line.finish();
    return run_batch(line.text("batch", "-"));
  }
  const int wanted = static_cast<int>(line.integer("want-blocks", 0, 1, 1024));
  const OccupancyQuestion question = read_question(line);

  if (format == "json") {
    fmt::print("{}", occupancy_json(question));
  } else if (format == "csv") {
    print_csv(question);
  } else {
    fmt::print("{}", occupancy_text(question));
    if (line.has("textbook")) {
      fmt::print("{}", textbook_text(question));
    }
    if (wanted > 0) {
      print_wanted(question, wanted);
    }
    print_curves(line, question);
  }
  const bool fails = question.failure || occupancy(question.gpu, question.request).failure;
  return fails ? kNoProgress : kDone;
}

}  // namespace smsim::cli
