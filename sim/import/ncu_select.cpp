#include "sim/import/ncu_select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "sim/config/suggest.hpp"
#include "sim/import/ncu_match.hpp"

namespace smsim {

namespace {

std::vector<std::size_t> with_id(const std::string& file, const std::vector<NcuLaunch>& launches,
                                 int id) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].id == id) {
      found.push_back(i);
    }
  }
  const auto all = all_indices(launches.size());
  if (found.empty()) {
    fail_with(file, fmt::format("found no launch with ID {}, expected one of{}", id,
                                list_launches(launches, all)));
  }
  if (found.size() > 1) {
    fail_with(file,
              fmt::format("found {} launches with ID {}, expected one: are these several exports "
                          "in one file?{}",
                          found.size(), id, list_launches(launches, found)));
  }
  return found;
}

// Raw indices that the choice leaves.
std::vector<std::size_t> chosen(const std::string& file, const std::vector<NcuLaunch>& launches,
                                const LaunchChoice& choice) {
  std::vector<std::size_t> found =
      choice.id ? with_id(file, launches, *choice.id) : all_indices(launches.size());
  if (choice.kernel.empty()) {
    return found;
  }
  const std::vector<std::size_t> named = of_kernel(choice.kernel, launches);
  std::vector<std::size_t> both;
  std::set_intersection(found.begin(), found.end(), named.begin(), named.end(),
                        std::back_inserter(both));
  if (both.empty()) {
    std::vector<std::string> names;
    names.reserve(launches.size());
    for (const NcuLaunch& launch : launches) {
      names.push_back(launch.kernel_name);
    }
    fail_with(file,
              fmt::format("found no launch of kernel '{}', expected one of{}{}", choice.kernel,
                          list_launches(launches, found), did_you_mean(choice.kernel, names)));
  }
  return both;
}

SelectedLaunch selected(const NcuProfile& profile, std::size_t launch, const KernelParts& parts) {
  const std::size_t block = block_of_launch(profile, launch, parts);
  return {launch, block, function_of_launch(profile, launch, block, parts)};
}

void append(std::vector<Diagnostic>& all, const InputError& error) {
  all.insert(all.end(), error.diagnostics().begin(), error.diagnostics().end());
}

}  // namespace

NcuProfile read_ncu_profile(const std::string& raw_file, const std::string& source_file,
                            const std::string& sass_file) {
  NcuProfile profile{raw_file, source_file, sass_file, {}, {}, {}};
  std::vector<Diagnostic> problems;
  const auto attempt = [&](const auto& read) {
    try {
      read();
    } catch (const InputError& error) {
      append(problems, error);
    }
  };
  attempt([&] { profile.launches = read_ncu_raw(raw_file); });
  attempt([&] { profile.blocks = read_ncu_source(source_file); });
  if (!sass_file.empty()) {
    attempt([&] { profile.functions = read_sass(sass_file); });
  }
  if (!problems.empty()) {
    throw InputError(problems);
  }
  return profile;
}

std::vector<SelectedLaunch> select_launches(const NcuProfile& profile, const LaunchChoice& choice) {
  const std::vector<std::size_t> launches = chosen(profile.raw_file, profile.launches, choice);
  std::map<std::string, KernelParts> kernels;
  std::vector<SelectedLaunch> all;
  all.reserve(launches.size());
  for (const std::size_t launch : launches) {
    const std::string& name = profile.launches[launch].kernel_name;
    const auto [parts, fresh] = kernels.try_emplace(name);
    if (fresh) {
      parts->second = parts_of_kernel(profile, name);
    }
    all.push_back(selected(profile, launch, parts->second));
  }
  return all;
}

std::size_t select_raw_launch(const std::string& raw_file, const std::vector<NcuLaunch>& launches,
                              const LaunchChoice& choice) {
  const std::vector<std::size_t> found = chosen(raw_file, launches, choice);
  if (found.size() != 1) {
    fail_with(raw_file, fmt::format("found {} launches, expected a choice of one{}", found.size(),
                                    list_launches(launches, found)));
  }
  return found[0];
}

SelectedLaunch select_one_launch(const NcuProfile& profile, const LaunchChoice& choice) {
  const std::size_t launch = select_raw_launch(profile.raw_file, profile.launches, choice);
  return selected(profile, launch, parts_of_kernel(profile, profile.launches[launch].kernel_name));
}

}  // namespace smsim
