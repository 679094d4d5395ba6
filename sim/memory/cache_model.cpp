#include "sim/memory/cache_model.hpp"

#include <algorithm>

#include "sim/kernel/random.hpp"

namespace smsim::memory {
namespace {

constexpr std::uint64_t kLineBytes = 128;

// Apart from all other draws of a request: what misses must not prefer some DRAM channels.
constexpr std::uint64_t kSalt = 0x6869740000000000ULL;

std::uint64_t draw_of(std::uint64_t key, CacheModel::Level level) {
  return mix(key, kSalt + static_cast<std::uint64_t>(level));
}

}  // namespace

CacheModel::CacheModel(const Program& program, Level level, std::uint64_t bytes, bool warm)
    : program_(&program), level_(level) {
  const auto footprint_bytes = [level](const Array& array) {
    const bool anywhere = array.reuse == Array::Reuse::random && array.bytes_per_sm == 0;
    return level == Level::l1 && !anywhere ? array.bytes_per_sm : array.bytes;
  };
  // Data that are used again stay; what streams past takes little room from them.
  double random_bytes = 0;
  for (const Array& array : program.arrays) {
    if (array.reuse == Array::Reuse::random) {
      random_bytes += static_cast<double>(footprint_bytes(array));
    }
  }
  for (const Array& array : program.arrays) {
    Footprint footprint;
    footprint.lines = (footprint_bytes(array) + kLineBytes - 1) / kLineBytes;
    const bool random = array.reuse == Array::Reuse::random && random_bytes > 0;
    const double share = random ? static_cast<double>(footprint_bytes(array)) / random_bytes : 1.0;
    footprint.capacity =
        std::min(footprint.lines,
                 static_cast<std::uint64_t>(static_cast<double>(bytes) * share) / kLineBytes);
    if (warm) {
      footprint.touched =
          array.reuse == Array::Reuse::random ? footprint.capacity : footprint.lines;
    }
    arrays_.push_back(footprint);
  }
  for (const MemoryAccess& access : program.accesses) {
    accesses_.push_back(access.array < arrays_.size() ? arrays_[access.array] : Footprint{});
  }
}

bool CacheModel::hit(std::uint16_t access, std::uint64_t key) {
  const MemoryAccess& descriptor = program_->accesses[access];
  const double rate = level_ == Level::l1 ? descriptor.l1_hit : descriptor.l2_hit;
  if (rate >= 1) return true;
  if (rate > 0) return unit_interval(draw_of(key, level_)) < rate;
  if (rate == 0 || descriptor.array >= arrays_.size()) return false;
  if (program_->arrays[descriptor.array].reuse == Array::Reuse::random) {
    return hit_random(arrays_[descriptor.array], key);
  }
  return hit_streaming(accesses_[access]);
}

bool CacheModel::hit_random(Footprint& footprint, std::uint64_t key) const {
  if (footprint.capacity == 0) return false;
  const std::uint64_t line = below(draw_of(key, level_), footprint.lines);
  if (line < footprint.touched) return true;
  footprint.touched = std::min(footprint.touched + 1, footprint.capacity);
  return false;
}

bool CacheModel::hit_streaming(Footprint& footprint) {
  ++footprint.touched;
  if (footprint.lines == 0) return false;  // no reuse at this level
  return footprint.touched > footprint.lines && footprint.lines <= footprint.capacity;
}

}  // namespace smsim::memory
