// Occupancy over one figure, and how far from the present value it changes.
#include <fmt/format.h>

#include <algorithm>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

namespace {

CurvePoint point(const GpuSpec& gpu, const BlockRequest& request, std::int64_t x) {
  const int blocks = resident_blocks(gpu, request);
  const int warps = blocks * warps_of(request.threads);
  return {x, blocks, warps, 100.0 * warps / gpu.limits.max_warps};
}

std::string plural(std::int64_t count, const std::string& unit) {
  return fmt::format("{} {}{}", count, unit, count == 1 || unit == "B" ? "" : "s");
}

NextStep step(const std::string& resource, const std::string& words, std::int64_t change,
              const CurvePoint& there) {
  return {resource,
          change,
          there.x,
          there.blocks,
          there.warps,
          fmt::format("{} gives {} ({})", words, plural(there.blocks, "block"),
                      plural(there.warps, "warp"))};
}

}  // namespace

std::vector<CurvePoint> curve_over_threads(const GpuSpec& gpu, const BlockRequest& request) {
  std::vector<CurvePoint> curve;
  BlockRequest tried = request;
  for (int threads = kWarpThreads; threads <= gpu.limits.max_threads_per_block;
       threads += kWarpThreads) {
    tried.threads = threads;
    curve.push_back(point(gpu, tried, threads));
  }
  return curve;
}

std::vector<CurvePoint> curve_over_registers(const GpuSpec& gpu, const BlockRequest& request) {
  std::vector<CurvePoint> curve;
  BlockRequest tried = request;
  for (int registers = 1; registers <= gpu.limits.max_registers_per_thread; ++registers) {
    tried.registers = registers;
    curve.push_back(point(gpu, tried, registers));
  }
  return curve;
}

std::vector<CurvePoint> curve_over_smem(const GpuSpec& gpu, const BlockRequest& request,
                                        std::int64_t step_bytes) {
  std::vector<CurvePoint> curve;
  BlockRequest tried = request;
  const std::int64_t most = (request.smem_optin ? gpu.limits.smem_per_block_optin_bytes
                                                : gpu.limits.smem_per_block_default_bytes) -
                            request.smem_static_bytes;
  for (std::int64_t bytes = 0; bytes <= most; bytes += std::max<std::int64_t>(1, step_bytes)) {
    tried.smem_dynamic_bytes = bytes;
    curve.push_back(point(gpu, tried, bytes));
  }
  return curve;
}

std::vector<CurvePoint> corners(const std::vector<CurvePoint>& curve) {
  std::vector<CurvePoint> kept;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool last = i + 1 == curve.size();
    if (i == 0 || last || curve[i].blocks != curve[i - 1].blocks) {
      kept.push_back(curve[i]);
    }
  }
  return kept;
}

std::vector<NextStep> next_steps(const GpuSpec& gpu, const BlockRequest& request) {
  std::vector<NextStep> steps;
  const Occupancy now = occupancy(gpu, request);
  const int more = now.blocks_per_sm + 1;

  const int registers = max_registers_for(gpu, request, more);
  if (registers > 0 && registers < request.registers) {
    BlockRequest there = request;
    there.registers = registers;
    const int fewer = request.registers - registers;
    steps.push_back(step("registers", plural(fewer, "register") + " fewer", -fewer,
                         point(gpu, there, registers)));
  }
  const std::int64_t dynamic = max_dynamic_smem_for(gpu, request, more);
  if (dynamic >= 0 && dynamic < request.smem_dynamic_bytes) {
    BlockRequest there = request;
    there.smem_dynamic_bytes = dynamic;
    const std::int64_t fewer = request.smem_dynamic_bytes - dynamic;
    steps.push_back(step("shared_mem", fmt::format("{} B less dynamic shared memory", fewer),
                         -fewer, point(gpu, there, dynamic)));
  }
  // Another block size is worth naming only when it brings more warps: more blocks alone do not.
  std::vector<CurvePoint> curve = curve_over_threads(gpu, request);
  std::stable_sort(curve.begin(), curve.end(), [&](const CurvePoint& a, const CurvePoint& b) {
    return std::abs(a.x - request.threads) < std::abs(b.x - request.threads);
  });
  const auto better = std::find_if(curve.begin(), curve.end(), [&](const CurvePoint& there) {
    return there.warps > now.warps_per_sm;
  });
  if (better != curve.end()) {
    steps.push_back(step("threads", fmt::format("a block of {} threads", better->x),
                         better->x - request.threads, *better));
  }
  return steps;
}

std::vector<NextStep> slack(const GpuSpec& gpu, const BlockRequest& request) {
  std::vector<NextStep> steps;
  const Occupancy now = occupancy(gpu, request);
  if (now.blocks_per_sm == 0) {
    return steps;
  }
  const std::string keeps = fmt::format("keep {}", plural(now.blocks_per_sm, "block"));
  const int registers = max_registers_for(gpu, request, now.blocks_per_sm);
  steps.push_back({"registers", registers - request.registers, registers, now.blocks_per_sm,
                   now.warps_per_sm, fmt::format("up to {} registers {}", registers, keeps)});
  const std::int64_t dynamic = max_dynamic_smem_for(gpu, request, now.blocks_per_sm);
  steps.push_back({"shared_mem", dynamic - request.smem_dynamic_bytes, dynamic, now.blocks_per_sm,
                   now.warps_per_sm,
                   fmt::format("up to {} B dynamic shared memory {}", dynamic, keeps)});
  return steps;
}

}  // namespace smsim
