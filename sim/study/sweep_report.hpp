// The rows of a study, for people and for other programs.
#pragma once

#include <string>

#include "sim/study/study_database.hpp"

namespace smsim {

/// Fastest and slowest point, what could not run and why, and how policies compare.
std::string sweep_text(const StudyTable& table);
/// All columns, one line a point.
std::string sweep_csv(const StudyTable& table);
/// An array of objects.
std::string sweep_json(const StudyTable& table);

/// A cell as text; "" for nothing.
std::string cell_text(const StudyTable::Cell& cell);

}  // namespace smsim
