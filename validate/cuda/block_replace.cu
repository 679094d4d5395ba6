// Block replacement: blocks of fixed length L. Warp 0 spins on the clock until L cycles have
// passed, the other warps wait at a barrier; so hardly any issue slots are used, and a slot's next
// block starts as soon as the hardware can start it.
//   log     prints the distribution of (start of the next block in a slot - end of the last one)
//   cycles  is for ncu: no logging at all; row n belongs to launch ID n
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
};

struct Outcome {
  double duration = 0.0;
  std::vector<double> gaps;
  std::vector<double> stagger;
  double span = 0.0;
};

// Pairs, on each SM, the k-th block end with the k-th start after the first wave.
static Outcome analyse(const std::vector<WarpLog>& log, int warps, int grid, int per_sm, int sms,
                       double known_duration) {
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
    const double end =
        known_duration > 0.0 ? start + known_duration : static_cast<double>(last_end);
    durations.push_back(end - start);
    outcome.stagger.push_back(static_cast<double>(last_start - first));
    by_sm[log[static_cast<size_t>(b) * warps].smid].push_back({start, end});
  }
  outcome.duration = percentile(durations, 50);
  std::vector<double> spans;
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
    std::sort(starts.begin(), starts.end());
    std::sort(ends.begin(), ends.end());
    spans.push_back(ends.back() - starts.front());
    for (size_t k = 0; k + per_sm < starts.size(); ++k) {
      outcome.gaps.push_back(starts[k + per_sm] - ends[k]);
    }
  }
  outcome.span = percentile(spans, 50);
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
  std::printf("%s,%u,%d,%d,%d,%.0f,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", mode,
              config.length, config.block, per_sm, waves, out.duration, mean(out.gaps),
              percentile(out.gaps, 0), percentile(out.gaps, 5), percentile(out.gaps, 25),
              percentile(out.gaps, 50), percentile(out.gaps, 75), percentile(out.gaps, 95),
              percentile(out.stagger, 50), out.span);
}

static void run_log() {
  const int sms = sm_count();
  const int waves = 12;
  WarpLog* device_log = device_alloc<WarpLog>(static_cast<size_t>(sms) * 64 * waves);
  std::printf(
      "mode,length,block,blocks_per_sm,waves,duration_p50,gap_mean,gap_min,gap_p5,gap_p25,gap_p50,"
      "gap_p75,gap_p95,stagger_p50,sm_span_p50\n");
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

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "cycles") == 0) {
    run_cycles();
  } else {
    run_log();
  }
  return 0;
}
