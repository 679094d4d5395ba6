// How scheduling policies compare over everything else that a study varies.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text_writer.hpp"
#include "sim/study/study_database.hpp"

namespace smsim {

struct PolicyRow {
  std::string policy;
  double mean_ratio = 1;  // geometric mean of cycles over those of the first policy
  std::string best;       // the other inputs where the ratio is smallest
  double best_ratio = 1;
  std::string worst;
  double worst_ratio = 1;
  std::size_t points = 0;
};

/// One row per policy, only over points that completed under all of them; empty where the study
/// has fewer than two.
std::vector<PolicyRow> compare_policies(const StudyTable& table);

/// The table in words; nothing where there is nothing to compare.
void write_policies(TextWriter& out, const StudyTable& table);

}  // namespace smsim
