// The parts of the text report, one function each.
#pragma once

#include <span>

#include "sim/report/text_writer.hpp"
#include "smsim/report.hpp"

namespace smsim {

/// Rows for the named metrics, with their definitions when asked for.
void write_metrics(TextWriter& out, const Result& result, const ReportOptions& options,
                   std::span<const char* const> names);

void write_header(TextWriter& out, const Result& result);
void write_launch_failure(TextWriter& out, const LaunchFailure& failure);
void write_deadlock(TextWriter& out, const Result& result);
void write_occupancy(TextWriter& out, const Result& result, const ReportOptions& options);
void write_scheduler(TextWriter& out, const Result& result, const ReportOptions& options);
void write_warp_states(TextWriter& out, const Result& result, const ReportOptions& options);
void write_verdict(TextWriter& out, const Result& result, const ReportOptions& options);
void write_sms(TextWriter& out, const Result& result);
void write_instructions(TextWriter& out, const Result& result);
void write_notes(TextWriter& out, const Result& result, const ReportOptions& options);

}  // namespace smsim
