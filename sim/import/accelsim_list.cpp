#include "sim/import/accelsim_list.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <system_error>

#include "sim/import/accelsim_lines.hpp"
#include "sim/import/problems.hpp"

namespace smsim {

namespace {

bool begins(std::string_view text, std::string_view part) {
  return text.substr(0, part.size()) == part;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r");
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

// "MemcpyHtoD,0x00007efe7b500000,2052"
bool read_copy(std::string_view text, AccelsimCommand& command) {
  const auto number = [&text](int base, std::uint64_t& value) {
    if (text.empty() || text[0] != ',') {
      return false;
    }
    text.remove_prefix(begins(text, ",0x") && base == 16 ? 3 : 1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
  };
  text.remove_prefix(std::string_view("MemcpyHtoD").size());
  command.kind = AccelsimCommand::Kind::memcpy_to_device;
  return number(16, command.address) && number(10, command.bytes) && text.empty();
}

// The file that `name` means, "" when there is none.
std::string kernel_file(const std::filesystem::path& folder, std::string_view name) {
  for (const char* ending : {"", ".gz", ".xz", ".zst"}) {
    const std::filesystem::path path = folder / (std::string(name) + ending);
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) {
      return path.string();
    }
  }
  return "";
}

}  // namespace

std::vector<AccelsimCommand> read_accelsim_list(const std::string& path,
                                                std::vector<Diagnostic>& warnings) {
  AccelsimLines lines(path);
  AccelsimWarnings doubtful(path);
  Problems problems(path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<AccelsimCommand> commands;
  bool any_kernel = false;
  while (lines.next()) {
    const std::string_view text = trimmed(lines.text());
    AccelsimCommand command;
    command.line = lines.number();
    if (begins(text, "MemcpyHtoD")) {
      if (read_copy(text, command)) {
        commands.push_back(command);
      } else {
        problems.add(command.line,
                     fmt::format("found '{}', expected 'MemcpyHtoD,0xADDRESS,BYTES'", shown(text)));
      }
    } else if (begins(text, "kernel")) {
      any_kernel = true;
      command.path = kernel_file(folder, text);
      if (command.path.empty()) {
        problems.add(command.line, fmt::format("found no file '{}', also not as .gz, .xz or .zst",
                                               (folder / std::string(text)).string()));
      } else {
        commands.push_back(command);
      }
    } else if (!text.empty() && !begins(text, "Memcpy")) {
      doubtful.add("other", command.line,
                   fmt::format("found '{}', which is left out", shown(text)));
    }
  }
  if (!any_kernel) {
    problems.add(0, "found no line that names a kernel, expected a list such as kernelslist.g");
  }
  problems.throw_if_any();
  const std::vector<Diagnostic>& left_out = doubtful.list();
  warnings.insert(warnings.end(), left_out.begin(), left_out.end());
  return commands;
}

}  // namespace smsim
