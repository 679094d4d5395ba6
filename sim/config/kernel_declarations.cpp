// What a kernel declares besides its program: arrays, arguments, queues, flags, mbarriers.
#include <fmt/format.h>

#include <filesystem>

#include <algorithm>
#include <cmath>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

constexpr double kMostBytes = 1e15;
constexpr std::size_t kMostEntries = 1024;

}  // namespace

// Calls read(name, value) for every entry of a mapping from new names.
void KernelReader::read_named(
    const YAML::Node& node,
    const std::function<void(const std::string&, const YAML::Node&)>& read) {
  if (!node.IsMap() || node.size() > kMostEntries) {
    error(node,
          node.IsMap()
              ? fmt::format("found {} entries, expected at most {}", node.size(), kMostEntries)
              : fmt::format("found {}, expected a mapping from names", describe(node)));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : node) {
    const std::optional<std::string> name = new_name(entry.first);
    if (name && !seen.insert(*name).second) {
      error(entry.first, fmt::format("found '{}' a second time, expected each name once", *name));
    } else if (name) {
      read(*name, entry.second);
    }
  }
}

void KernelReader::read_declarations(const YAML::Node& document) {
  Keys keys(*this, document, "a kernel file");
  keys.find("params");  // read before, together with the launch
  keys.find("launch");
  keys.find("about");
  keys.find("lesson");  // lesson_reader.cpp
  keys.find("tune");    // tune_file.cpp
  if (const auto node = keys.find("name")) {
    kernel_.name = word(*node).value_or(kernel_.name);
  }
  if (has_control_character(kernel_.name)) {
    error(keys.find("name").value_or(document),
          "found a kernel's name with control characters, expected it without");
  }
  if (const auto node = keys.find("raw")) {
    kernel_.raw = boolean(*node).value_or(false);
  }
  if (const auto node = keys.find("arrays")) {
    read_arrays(*node);
  }
  if (const auto node = keys.find("scalars")) {
    if (!node->IsSequence()) {
      error(*node, fmt::format("found {}, expected a list of names", describe(*node)));
    } else {
      for (const auto& item : *node) {
        kernel_.scalars.push_back(new_name(item).value_or(""));
      }
    }
  }
  if (const auto node = keys.find("tasks")) {
    read_tasks(*node);
  }
  read_synchronisation(keys);
  if (const auto node = keys.find("sass")) {
    read_listing(*node);
    if (const auto architecture = keys.find("architecture")) {
      read_architecture(*architecture);
    }
  } else if (const auto trace = keys.find("trace")) {
    // Beside the kernel file, wherever that is.
    const std::filesystem::path file = word(*trace).value_or("");
    kernel_.trace_file = (std::filesystem::path(file_).parent_path() / file).string();
  } else if (const auto program = keys.require("program")) {
    kernel_.body = body(*program);
  }
  keys.finish();
  check_shared_memory(document);
}

void KernelReader::read_synchronisation(Keys& keys) {
  if (const auto node = keys.find("counters")) {
    read_named(*node, [this](const std::string& name, const YAML::Node& value) {
      kernel_.counters.push_back(
          {name, static_cast<std::uint64_t>(whole(value, 1, std::int64_t{1} << 40U).value_or(1))});
    });
  }
  if (const auto node = keys.find("flags")) {
    std::uint64_t first = 0;
    read_named(*node, [this, &first](const std::string& name, const YAML::Node& value) {
      constexpr std::int64_t kMostFlags = 1 << 24;
      kernel_.flags.push_back(
          {name, static_cast<std::uint32_t>(whole(value, 1, kMostFlags).value_or(1))});
      if (first > 60000) {
        error(value, "found more than 60000 flags in front of these, expected large groups last");
      }
      first += kernel_.flags.back().count;
    });
  }
  if (const auto node = keys.find("mbarriers")) {
    read_named(*node, [this](const std::string& name, const YAML::Node& value) {
      Mbarrier made;
      made.name = name;
      if (value.IsScalar()) {
        made.arrivals_per_phase = static_cast<std::uint16_t>(whole(value, 1, 65535).value_or(1));
      } else {
        Keys entry(*this, value, "an mbarrier");
        made.arrivals_per_phase = whole_or(entry.require("arrivals"), 1, 65535, std::uint16_t{1});
        made.initial_phases = whole_or(entry.find("open"), 0, 65535, std::uint16_t{0});
        entry.finish();
      }
      kernel_.mbarriers.push_back(made);
    });
    if (kernel_.mbarriers.size() > kMaxMbarriers) {
      error(*node, fmt::format("found {} mbarriers, expected at most {}", kernel_.mbarriers.size(),
                               kMaxMbarriers));
    }
  }
}

void KernelReader::read_arrays(const YAML::Node& node) {
  read_named(node,
             [this](const std::string& name, const YAML::Node& value) { read_array(name, value); });
}

void KernelReader::read_array(const std::string& name, const YAML::Node& node) {
  ArraySource made;
  made.array.name = name;
  if (node.IsScalar()) {
    read_size(node, made);
    kernel_.arrays.push_back(made);
    return;
  }
  Keys keys(*this, node, "an array");
  if (const auto space = keys.find("space")) {
    made.space = choice(*space, {"global", "shared"}) == "shared" ? Space::shared : Space::global;
  }
  if (const auto reuse = keys.find("reuse")) {
    made.array.reuse = choice(*reuse, {"streaming", "random"}) == "random"
                           ? Array::Reuse::random
                           : Array::Reuse::streaming;
  }
  if (const auto bytes = keys.find("bytes_per_sm")) {
    made.array.bytes_per_sm =
        static_cast<std::uint64_t>(std::ceil(number(*bytes, 0, kMostBytes).value_or(0)));
  }
  if (const auto size = keys.require("bytes")) {
    read_size(*size, made);
  }
  keys.finish();
  kernel_.arrays.push_back(made);
}

void KernelReader::read_size(const YAML::Node& node, ArraySource& array) {
  double bytes = number(node, 1, kMostBytes).value_or(1);
  if (array.space == Space::global && array.array.reuse == Array::Reuse::streaming) {
    bytes *= scale_of(node);
  }
  array.array.bytes = static_cast<std::uint64_t>(std::min(std::ceil(bytes), kMostBytes));
}

void KernelReader::read_tasks(const YAML::Node& node) {
  constexpr std::size_t kMostListed = 1 << 20;
  TaskQueue queue;
  queue.name = "tasks";
  queue.work.mean = 1;
  Keys keys(*this, node, "tasks");
  if (const auto count = keys.require("count")) {
    queue.tasks = static_cast<std::uint64_t>(whole(*count, 1, std::int64_t{1} << 40U).value_or(1));
  }
  if (const auto work = keys.find("work")) {
    if (work->IsSequence()) {
      if (work->size() < 1 || work->size() > kMostListed) {
        error(*work, fmt::format("found {} items, expected 1 to {}", work->size(), kMostListed));
      }
      double sum = 0;
      for (const auto& item : *work) {
        queue.work_list.push_back(
            static_cast<std::uint32_t>(whole(item, 0, 4294967295).value_or(1)));
        sum += queue.work_list.back();
      }
      queue.work.mean = sum / static_cast<double>(std::max<std::size_t>(1, queue.work_list.size()));
    } else {
      queue.work = distribution(*work);
    }
  }
  keys.finish();
  kernel_.tasks = queue;
}

// Shared arrays need static shared memory, unless the launch gives as much itself.
void KernelReader::check_shared_memory(const YAML::Node& document) {
  std::uint64_t bytes = 0;
  for (const ArraySource& array : kernel_.arrays) {
    bytes += array.space == Space::shared ? array.array.bytes : 0;
  }
  LaunchSpec& launch = kernel_.launch;
  const auto given =
      static_cast<std::uint64_t>(launch.smem_static_bytes + launch.smem_dynamic_bytes);
  if (bytes <= given) {
    return;
  }
  constexpr std::uint64_t kMost = 1 << 20;
  if (given > 0 || bytes > kMost) {
    error(document,
          fmt::format("found {} bytes of shared arrays in {} bytes of shared memory, expected "
                      "launch.smem_static and launch.smem_dynamic to hold them",
                      bytes, given > 0 ? given : kMost));
    return;
  }
  launch.smem_static_bytes = static_cast<int>(bytes);
}

}  // namespace smsim
