// Block replacement: blocks of fixed length L. Warp 0 spins on the clock until L cycles have
// passed, the other warps wait at a barrier; so hardly any issue slots are used, and a slot's next
// block starts as soon as the hardware can start it.
//   log     prints the distribution of (start of the next block in a slot - end of the last one)
//   cycles  is for ncu: no logging at all; row n belongs to launch ID n
//   jitter  block lengths vary at random, so that ends do not come in step; gaps against the load
//   early   all warps but one exit at once: are their slots given to other blocks?
//   single  all SMs but one are kept busy: how fast can one SM start blocks?
#include "common.cuh"

struct WarpLog {
  uint64_t start;
  uint64_t end;
  uint32_t smid;
  uint32_t slot;
};

// kMode 0: no log. 1: the start is stored at once, so the store has drained long before the exit.
// 2: start and end are stored after the end, so the exit has to wait for a store.
template <int kMode>
__global__ void __launch_bounds__(1024) spin_block(uint32_t length, WarpLog* log) {
  const uint64_t start = read_clock64();
  const int warp = blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32;
  const bool leader = threadIdx.x % 32 == 0;
  if (kMode == 1 && leader) {
    log[warp].start = start;
    log[warp].smid = read_smid();
    log[warp].slot = read_warp_slot();
  }
  if (threadIdx.x < 32) {
    while (read_clock64() - start < length) {
    }
  }
  if (blockDim.x > 32) {
    __syncthreads();
  }
  if (kMode == 2 && leader) {
    const uint64_t end = read_clock64();
    log[warp].start = start;
    log[warp].end = end;
    log[warp].smid = read_smid();
    log[warp].slot = read_warp_slot();
  }
}

// Length of a block in jitter mode: uniform between length and 2 length.
__host__ __device__ inline uint32_t jittered(uint32_t length, uint32_t block) {
  uint32_t h = block * 2654435761u + 12345u;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 13;
  return length + h % length;
}

__global__ void __launch_bounds__(1024) jitter_block(uint32_t length, WarpLog* log) {
  const uint64_t start = read_clock64();
  const int warp = blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    log[warp] = {start, 0, read_smid(), read_warp_slot()};
  }
  if (threadIdx.x < 32) {
    const uint32_t own = jittered(length, blockIdx.x);
    while (read_clock64() - start < own) {
    }
  }
  if (blockDim.x > 32) {
    __syncthreads();
  }
}

// The first `live` warps spin, the others exit at once. kLive registers or so per thread are held.
template <int kLive>
__global__ void __launch_bounds__(1024)
    early_block(uint32_t length, int live, WarpLog* log, volatile float* never) {
  const uint64_t start = read_clock64();
  if (static_cast<int>(threadIdx.x / 32) >= live) {
    return;
  }
  while (read_clock64() - start < length) {
  }
  if (threadIdx.x == 0) {
    log[blockIdx.x] = {start, read_clock64(), read_smid(), read_warp_slot()};
  }
  if (length == 0) {
    float values[kLive];
#pragma unroll
    for (int i = 0; i < kLive; ++i) {
      values[i] = never[threadIdx.x + i * 64];
    }
#pragma unroll
    for (int i = 0; i < kLive; ++i) {
      never[threadIdx.x + i * 64] = values[i] * values[(i + 1) % kLive];
    }
  }
}

// Blocks on other SMs stay for `hold` cycles, blocks on the target SM end at once; so nearly all
// blocks pass through the target SM. Every kSample-th block notes its start.
constexpr int kSample = 16;

__global__ void __launch_bounds__(1024)
    single_block(uint32_t smid, uint32_t hold, uint64_t* starts) {
  const uint64_t start = read_clock64();
  if (read_smid() == smid) {
    if (threadIdx.x == 0 && blockIdx.x % kSample == 0) {
      starts[blockIdx.x / kSample] = start;
    }
    return;
  }
  if (threadIdx.x < 32) {
    while (read_clock64() - start < hold) {
    }
  }
  __syncthreads();
}

struct Config {
  uint32_t length;
  int block;
  int smem;
};

static std::vector<Config> configs() {
  std::vector<Config> list;
  for (uint32_t length : {200u, 500u, 1000u, 2000u, 5000u, 20000u}) {
    for (int block : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
      list.push_back({length, block, 0});
    }
  }
  for (uint32_t length : {1000u, 5000u}) {
    for (int block : {32, 128, 256, 512, 1024}) {
      for (int per_sm : {1, 2, 4}) {
        if (block * per_sm <= 2048) {
          list.push_back({length, block, 227 * 1024 / per_sm - 2048});
        }
      }
    }
  }
  return list;
}

template <int kMode>
static int blocks_per_sm(const Config& config) {
  int count = 0;
  CHECK(cudaFuncSetAttribute(spin_block<kMode>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             226 * 1024));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, spin_block<kMode>, config.block,
                                                      config.smem));
  return count;
}

struct BlockLog {
  double start;
  double end;
  uint32_t slot;
};

struct Outcome {
  double follows = 0.0;  // share of blocks whose first warp's sub-partition follows the last one's
  double duration = 0.0;
  std::vector<double> gaps;
  std::vector<double> stagger;
  double span = 0.0;
};

// Pairs, on each SM, the k-th block end with the k-th start after the first wave.
static Outcome analyse(const std::vector<WarpLog>& log, int warps, int grid, int per_sm, int sms,
                       double known_duration, uint32_t jitter_length = 0) {
  Outcome outcome;
  std::vector<std::vector<BlockLog>> by_sm(sms);
  std::vector<double> durations;
  for (int b = 0; b < grid; ++b) {
    uint64_t first = UINT64_MAX;
    uint64_t last_start = 0;
    uint64_t last_end = 0;
    for (int w = 0; w < warps; ++w) {
      const WarpLog& entry = log[static_cast<size_t>(b) * warps + w];
      first = std::min(first, entry.start);
      last_start = std::max(last_start, entry.start);
      last_end = std::max(last_end, entry.end);
    }
    const double start = static_cast<double>(first);
    double end = known_duration > 0.0 ? start + known_duration : static_cast<double>(last_end);
    if (jitter_length > 0) {
      end = start + known_duration + jittered(jitter_length, b);
    }
    durations.push_back(end - start);
    outcome.stagger.push_back(static_cast<double>(last_start - first));
    const WarpLog& leader = log[static_cast<size_t>(b) * warps];
    by_sm[leader.smid].push_back({start, end, leader.slot});
  }
  outcome.duration = percentile(durations, 50);
  std::vector<double> spans;
  double following = 0.0;
  double counted = 0.0;
  for (auto& blocks : by_sm) {
    if (blocks.empty()) {
      continue;
    }
    std::vector<double> starts;
    std::vector<double> ends;
    for (const BlockLog& block : blocks) {
      starts.push_back(block.start);
      ends.push_back(block.end);
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const BlockLog& x, const BlockLog& y) { return x.start < y.start; });
    for (size_t k = 1; k < blocks.size(); ++k) {
      following += blocks[k].slot % 4 == (blocks[k - 1].slot + warps) % 4 ? 1.0 : 0.0;
      counted += 1.0;
    }
    std::sort(starts.begin(), starts.end());
    std::sort(ends.begin(), ends.end());
    spans.push_back(ends.back() - starts.front());
    for (size_t k = 0; k + per_sm < starts.size(); ++k) {
      outcome.gaps.push_back(starts[k + per_sm] - ends[k]);
    }
  }
  outcome.span = percentile(spans, 50);
  outcome.follows = counted > 0.0 ? following / counted : 0.0;
  return outcome;
}

template <int kMode>
static Outcome measure(const Config& config, int waves, int sms, WarpLog* device_log,
                       double known_duration) {
  const int per_sm = blocks_per_sm<kMode>(config);
  const int grid = per_sm * sms * waves;
  const int warps = (config.block + 31) / 32;
  for (int repeat = 0; repeat < 2; ++repeat) {
    spin_block<kMode><<<grid, config.block, config.smem>>>(config.length, device_log);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
  }
  const auto log = to_host(device_log, static_cast<size_t>(grid) * warps);
  return analyse(log, warps, grid, per_sm, sms, known_duration);
}

static void print_row(const Config& config, int per_sm, int waves, const char* mode, Outcome& out) {
  std::printf("%s,%u,%d,%d,%d,%.0f,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.3f\n", mode,
              config.length, config.block, per_sm, waves, out.duration, mean(out.gaps),
              percentile(out.gaps, 0), percentile(out.gaps, 5), percentile(out.gaps, 25),
              percentile(out.gaps, 50), percentile(out.gaps, 75), percentile(out.gaps, 95),
              percentile(out.stagger, 50), out.span, out.follows);
}

static void run_log() {
  const int sms = sm_count();
  const int waves = 12;
  WarpLog* device_log = device_alloc<WarpLog>(static_cast<size_t>(sms) * 64 * waves);
  std::printf(
      "mode,length,block,blocks_per_sm,waves,duration_p50,gap_mean,gap_min,gap_p5,gap_p25,gap_p50,"
      "gap_p75,gap_p95,stagger_p50,sm_span_p50,sub_partition_follows\n");
  for (const Config& config : configs()) {
    const int per_sm = blocks_per_sm<1>(config);
    Outcome late = measure<2>(config, waves, sms, device_log, 0.0);
    print_row(config, per_sm, waves, "store_at_end", late);
    Outcome early = measure<1>(config, waves, sms, device_log, late.duration);
    print_row(config, per_sm, waves, "store_at_start", early);
  }
}

static void run_cycles() {
  const int sms = sm_count();
  int id = 0;
  std::printf("id,length,block,blocks_per_sm,waves,grid\n");
  for (const Config& config : configs()) {
    if (config.length == 200 || config.length == 20000) {
      continue;
    }
    const int per_sm = blocks_per_sm<0>(config);
    for (int waves : {8, 24}) {
      const int grid = per_sm * sms * waves;
      spin_block<0><<<grid, config.block, config.smem>>>(config.length, nullptr);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      std::printf("%d,%u,%d,%d,%d,%d\n", id++, config.length, config.block, per_sm, waves, grid);
    }
  }
}

static void run_jitter() {
  const int sms = sm_count();
  const int waves = 12;
  WarpLog* device_log = device_alloc<WarpLog>(static_cast<size_t>(sms) * 64 * waves);
  std::printf(
      "mode,length,block,blocks_per_sm,waves,duration_p50,gap_mean,gap_min,gap_p5,gap_p25,gap_p50,"
      "gap_p75,gap_p95,stagger_p50,sm_span_p50,sub_partition_follows,blocks_per_cycle\n");
  CHECK(
      cudaFuncSetAttribute(jitter_block, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 * 1024));
  for (uint32_t length : {300u, 600u, 1000u, 1500u, 2000u, 3000u, 5000u, 10000u}) {
    for (int block : {32, 64, 128, 160, 256, 512, 1024}) {
      for (int limit : {1, 4, 32}) {
        Config config{length, block, limit == 32 ? 0 : 227 * 1024 / limit - 2048};
        int per_sm = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jitter_block, block,
                                                            config.smem));
        if (limit < 32 && per_sm != limit) {
          continue;
        }
        const int grid = per_sm * sms * waves;
        const int warps = (block + 31) / 32;
        // The spin's overshoot and the way out, from blocks of fixed length.
        Outcome fixed = measure<2>(config, waves, sms, device_log, 0.0);
        for (int repeat = 0; repeat < 2; ++repeat) {
          jitter_block<<<grid, block, config.smem>>>(length, device_log);
          CHECK(cudaGetLastError());
          CHECK(cudaDeviceSynchronize());
        }
        const auto log = to_host(device_log, static_cast<size_t>(grid) * warps);
        Outcome out = analyse(log, warps, grid, per_sm, sms, fixed.duration - length, length);
        char mode[32];
        std::snprintf(mode, sizeof(mode), "jitter");
        std::printf("%s,%u,%d,%d,%d,%.0f,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.3f,%.3f\n",
                    mode, length, block, per_sm, waves, out.duration, mean(out.gaps),
                    percentile(out.gaps, 0), percentile(out.gaps, 5), percentile(out.gaps, 25),
                    percentile(out.gaps, 50), percentile(out.gaps, 75), percentile(out.gaps, 95),
                    percentile(out.stagger, 50), out.span, out.follows, grid / out.span);
      }
    }
  }
}

template <int kLive>
static void report_early(int sms, WarpLog* device_log) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, early_block<kLive>));
  for (int block : {64, 128, 160, 256, 384, 512, 768, 1024}) {
    const int warps = block / 32;
    for (int live : {1, 2, warps / 2, warps - 1}) {
      if (live < 1 || (live == 2 && warps <= 4)) {
        continue;
      }
      int per_sm = 0;
      CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, early_block<kLive>, block, 0));
      const int grid = per_sm * sms * 4;
      CHECK(cudaMemset(device_log, 0, grid * sizeof(WarpLog)));
      early_block<kLive><<<grid, block>>>(20000, live, device_log, nullptr);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      std::vector<WarpLog> log = to_host(device_log, grid);
      int most = 0;
      uint32_t most_smid = 0;
      for (int b = 0; b < grid; ++b) {
        int together = 0;
        for (int c = 0; c < grid; ++c) {
          together += log[c].smid == log[b].smid && log[c].start <= log[b].start &&
                      log[b].start < log[c].end;
        }
        if (together > most) {
          most = together;
          most_smid = log[b].smid;
        }
      }
      for (uint32_t smid : {0u, most_smid}) {
        std::vector<WarpLog> on_sm;
        for (const WarpLog& entry : log) {
          if (entry.smid == smid && entry.start != 0) {
            on_sm.push_back(entry);
          }
        }
        std::sort(on_sm.begin(), on_sm.end(),
                  [](const WarpLog& x, const WarpLog& y) { return x.start < y.start; });
        std::printf("%d,%d,%d,%d,%d,%u,", block, live, attributes.numRegs, per_sm, most, smid);
        for (size_t i = 0; i < on_sm.size() && i < 48; ++i) {
          std::printf("%s%llu-%llu@%u", i ? " " : "",
                      static_cast<unsigned long long>(on_sm[i].start - on_sm[0].start),
                      static_cast<unsigned long long>(on_sm[i].end - on_sm[0].start),
                      on_sm[i].slot);
        }
        std::printf("\n");
      }
    }
  }
}

static void run_early() {
  const int sms = sm_count();
  WarpLog* device_log = device_alloc<WarpLog>(static_cast<size_t>(sms) * 256);
  std::printf(
      "block,live_warps,registers,blocks_per_sm_by_rule,most_resident,smid,starts_ends_slots\n");
  report_early<8>(sms, device_log);
  report_early<28>(sms, device_log);
  report_early<56>(sms, device_log);
}

static void run_single() {
  const int sms = sm_count();
  const int passing = 1600;
  uint64_t* starts = device_alloc<uint64_t>((64 * sms + passing) / kSample + 1);
  std::printf("block,smid,samples,cycles_per_block,cycles_per_block_p5,cycles_per_block_p95\n");
  for (int block : {32, 64, 128, 256, 512, 1024}) {
    int per_sm = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, single_block, block, 0));
    for (uint32_t smid : {0u, 61u}) {
      const int grid = per_sm * sms + passing;
      const int slots = grid / kSample + 1;
      CHECK(cudaMemset(starts, 0, slots * 8));
      single_block<<<grid, block>>>(smid, 1000000, starts);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      const auto times = to_host(starts, slots);
      // Only blocks past the first wave, and only neighbours that both ran on the target SM.
      std::vector<double> intervals;
      for (int i = per_sm * sms / kSample + 2; i + 1 < grid / kSample; ++i) {
        if (times[i] != 0 && times[i + 1] != 0) {
          intervals.push_back(double(int64_t(times[i + 1] - times[i])) / kSample);
        }
      }
      std::printf("%d,%u,%zu,%.1f,%.1f,%.1f\n", block, smid, intervals.size(), mean(intervals),
                  percentile(intervals, 5), percentile(intervals, 95));
    }
  }
}

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "log";
  if (part == "jitter") {
    run_jitter();
    return 0;
  }
  if (part == "early") {
    run_early();
    return 0;
  }
  if (part == "single") {
    run_single();
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "cycles") == 0) {
    run_cycles();
  } else {
    run_log();
  }
  return 0;
}
