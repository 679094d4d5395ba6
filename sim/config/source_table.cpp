#include "sim/config/source_table.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/config/suggest.hpp"

namespace smsim {

namespace {

bool covers(const std::string& prefix, const std::string& path) {
  return path == prefix || path.rfind(prefix + ".", 0) == 0;
}

// What follows the first comma: "verified, device properties" -> "device properties".
std::string words_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  const std::size_t begin =
      comma == std::string::npos ? comma : text.find_first_not_of(" ,", comma);
  return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace

SourceTable::SourceTable(ReadContext context, const std::optional<YAML::Node>& section)
    : context_(std::move(context)) {
  if (!section) {
    return;
  }
  const MappingReader mapping(context_, *section);  // reports what is no mapping of names
  for (const auto& entry : *section) {
    if (!section->IsMap() || !entry.first.IsScalar()) {
      continue;
    }
    if (const std::optional<std::string> text = read_text(context_, entry.second)) {
      entries_.push_back(
          {entry.first.Scalar(), entry.first, read_status(entry.second), words_of(*text), false});
    }
  }
}

SourceStatus SourceTable::read_status(const YAML::Node& node) const {
  const std::string text = node.Scalar().substr(0, node.Scalar().find(','));
  for (const SourceStatus status : {SourceStatus::verified, SourceStatus::secondary,
                                    SourceStatus::derived, SourceStatus::unverified}) {
    if (text == to_string(status)) {
      return status;
    }
  }
  context_.error(node, fmt::format("found '{}', expected verified, secondary, derived or "
                                   "unverified, then a comma and the source",
                                   text));
  return SourceStatus::unverified;
}

const SourceTable::Entry* SourceTable::find(const std::string& path) {
  asked_.push_back(path);
  const Entry* best = nullptr;
  for (Entry& entry : entries_) {
    if (covers(entry.prefix, path)) {
      entry.used = true;
      if (best == nullptr || entry.prefix.size() > best->prefix.size()) {
        best = &entry;
      }
    }
  }
  return best;
}

void SourceTable::report_unused() const {
  for (const Entry& entry : entries_) {
    if (!entry.used) {
      context_.error(entry.node,
                     fmt::format("found a source for '{}', expected a field that this file sets{}",
                                 entry.prefix, did_you_mean(entry.prefix, asked_)));
    }
  }
}

}  // namespace smsim
