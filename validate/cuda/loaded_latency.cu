// Memory latency against load: each warp does rounds of k independent coalesced accesses and waits
// for all of them. A histogram of round latencies, and the bandwidth reached, for DRAM (no reuse)
// and for a footprint that stays in L2; all SMs or a few. The latency includes about 20 cycles of
// use and stamp.
#include "common.cuh"

constexpr int kBins = 1024;
constexpr int kBinCycles = 8;
constexpr int kSkip = 8;  // rounds left out at the start of each warp

enum Mode { kLoad = 0, kLoadStore = 1, kSaxpy = 2, kStore = 3 };

struct Params {
  char* x;
  char* y;
  uint32_t first_line;  // in units of one warp access
  uint32_t line_mask;   // footprint in lines, minus 1
  uint32_t scatter;     // odd multiplier that permutes the lines, 1 = streaming
  int rounds;
  uint32_t sm_mask[5];  // SMs that take part
  uint32_t* histogram;
  unsigned long long* times;  // [0] first start ns, [1] last end ns, [2] sum of periods, [3] warps
};

struct Raw {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

template <int kVec>
__device__ __forceinline__ void load(Raw& raw, const char* p) {
  if (kVec == 1) {
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(raw.a) : "l"(p));
  } else {
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(raw.a), "=r"(raw.b), "=r"(raw.c), "=r"(raw.d)
                 : "l"(p));
  }
}

template <int kVec>
__device__ __forceinline__ void store(char* p, uint32_t v) {
  if (kVec == 1) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
  } else {
    asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(p), "r"(v) : "memory");
  }
}

template <int kK, int kVec, int kMode>
__global__ void __launch_bounds__(1024) loaded(Params params) {
  __shared__ uint32_t bins[kBins];
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) {
    bins[i] = 0;
  }
  __syncthreads();
  const uint32_t smid = read_smid();
  if (((params.sm_mask[smid / 32] >> (smid % 32)) & 1) == 0) {
    const uint64_t begin = read_clock64();
    while (read_clock64() - begin < 40000) {
    }
    return;
  }
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t warps = gridDim.x * (blockDim.x / 32);
  const uint32_t warp = threadIdx.x / 32 * gridDim.x + blockIdx.x;
  uint32_t line = params.first_line + warp;
  uint64_t start_ns = 0;
  uint32_t start_clock = 0;
#pragma unroll 1
  for (int round = 0; round < params.rounds; ++round) {
    if (round == kSkip) {
      start_ns = read_globaltimer();
      start_clock = read_clock();
    }
    uint64_t offset[kK];
#pragma unroll
    for (int j = 0; j < kK; ++j) {
      const uint32_t target = ((line + j * warps) * params.scatter) & params.line_mask;
      offset[j] = uint64_t(target * 32 + lane) * (4 * kVec);
    }
    line += kK * warps;
    uint32_t all = 0;
    Raw value[kK];
    Raw other[kK];
    uint32_t ready = 0;
#pragma unroll
    for (int j = 0; j < kK; ++j) {
      ready |= static_cast<uint32_t>(offset[j]);
    }
    const uint32_t before = read_clock_after(ready);  // once all addresses are there
    if (kMode != kStore) {
#pragma unroll
      for (int j = 0; j < kK; ++j) {
        load<kVec>(value[j], params.x + offset[j]);
        if (kMode == kSaxpy) {
          load<kVec>(other[j], params.y + offset[j]);
        }
      }
#pragma unroll
      for (int j = 0; j < kK; ++j) {
        all |= value[j].a | value[j].b | value[j].c | value[j].d;
        if (kMode == kSaxpy) {
          all |= other[j].a | other[j].b | other[j].c | other[j].d;
        }
      }
      const uint32_t after = read_clock_after(all);
      if (lane == 0 && round >= kSkip) {
        atomicAdd(&bins[min((after - before) / kBinCycles, uint32_t(kBins - 1))], 1u);
      }
      line += all;  // zero; makes the next addresses depend on the data
    }
    if (kMode != kLoad) {
#pragma unroll
      for (int j = 0; j < kK; ++j) {
        store<kVec>(params.y + offset[j], all);
      }
    }
  }
  const uint64_t end_ns = read_globaltimer();
  const uint32_t end_clock = read_clock();
  if (lane == 0) {
    atomicMin(&params.times[0], static_cast<unsigned long long>(start_ns));
    atomicMax(&params.times[1], static_cast<unsigned long long>(end_ns));
    atomicAdd(&params.times[2], static_cast<unsigned long long>(end_clock - start_clock));
    atomicAdd(&params.times[3], 1ull);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) {
    if (bins[i] != 0) {
      atomicAdd(&params.histogram[i], bins[i]);
    }
  }
}

__global__ void touch(const uint4* data, uint64_t count, uint32_t* out) {
  uint32_t sum = 0;
  for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += uint64_t(gridDim.x) * blockDim.x) {
    sum |= data[i].x;
  }
  if (sum == 0x12345678) {
    *out = sum;
  }
}

static char* x_data;
static char* y_data;
static uint32_t* histogram;
static unsigned long long* times;
static uint64_t next_byte = 0;
constexpr uint64_t kDramBytes = 8ull << 30;

struct Set {
  const char* name;
  uint32_t mask[5];
  int count;
};

static Set all_sms(int sms) {
  Set set{"all", {0, 0, 0, 0, 0}, sms};
  for (int s = 0; s < sms; ++s) {
    set.mask[s / 32] |= 1u << (s % 32);
  }
  return set;
}

static Set some_sms(const char* name, const std::vector<int>& list) {
  Set set{name, {0, 0, 0, 0, 0}, int(list.size())};
  for (int s : list) {
    set.mask[s / 32] |= 1u << (s % 32);
  }
  return set;
}

template <int kK, int kVec, int kMode>
static void measure(const char* level, uint64_t footprint, uint32_t scatter, const Set& set,
                    int warps_per_sm) {
  const int sms = sm_count();
  const int per_sm = warps_per_sm > 32 ? 2 : 1;
  const int block = warps_per_sm / per_sm * 32;
  const int grid = sms * per_sm;
  int resident = 0;
  CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, loaded<kK, kVec, kMode>, block, 0));
  if (resident < per_sm) {
    return;  // the warps would not be there at the same time
  }
  const uint64_t access_bytes = 128ull * kVec;
  Params params{};
  params.x = x_data;
  params.y = y_data;
  params.rounds = kSkip + (kK * kVec >= 8 ? 96 : 192);
  params.scatter = scatter;
  params.line_mask = footprint / access_bytes - 1;
  const bool dram = footprint == kDramBytes;
  params.first_line = dram ? next_byte / access_bytes : 0;
  std::memcpy(params.sm_mask, set.mask, sizeof(set.mask));
  params.histogram = histogram;
  params.times = times;
  const uint64_t used = uint64_t(grid) * (block / 32) * kK * params.rounds * access_bytes;
  if (dram) {
    next_byte = (next_byte + used + (128ull << 20)) / (1 << 20) * (1 << 20) % kDramBytes;
  } else {
    touch<<<sms * 8, 256>>>(reinterpret_cast<const uint4*>(x_data), footprint / 16, histogram);
    if (kMode == kSaxpy) {
      touch<<<sms * 8, 256>>>(reinterpret_cast<const uint4*>(y_data), footprint / 16, histogram);
    }
  }
  CHECK(cudaMemset(histogram, 0, kBins * 4));
  const unsigned long long initial[4] = {~0ull, 0, 0, 0};
  CHECK(cudaMemcpy(times, initial, sizeof(initial), cudaMemcpyHostToDevice));
  loaded<kK, kVec, kMode><<<grid, block>>>(params);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const auto bins = to_host(histogram, kBins);
  const auto t = to_host(times, 4);
  uint64_t total = 0;
  double sum = 0.0;
  for (int i = 0; i < kBins; ++i) {
    total += bins[i];
    sum += bins[i] * (i + 0.5) * kBinCycles;
  }
  auto rank = [&](double fraction) {
    uint64_t seen = 0;
    for (int i = 0; i < kBins; ++i) {
      seen += bins[i];
      if (total > 0 && seen >= fraction * total) {
        return (i + 0.5) * kBinCycles;
      }
    }
    return 0.0;
  };
  const int accesses = kMode == kLoadStore ? 2 : kMode == kSaxpy ? 3 : 1;
  const double rounds = params.rounds - kSkip;
  const double bytes = double(t[3]) * rounds * kK * access_bytes * accesses;
  const double period = double(t[2]) / t[3] / rounds;
  const double steady = double(t[3]) / set.count * kK * access_bytes * accesses / period;
  static const char* names[] = {"load", "load_store", "saxpy", "store"};
  std::printf("%s,%llu,%s,%s,%s,%d,%d,%d,%d,%d,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.1f,%.2f,%.1f\n",
              level, static_cast<unsigned long long>(footprint >> 20),
              scatter == 1 ? "stream" : "scatter", names[kMode], set.name, set.count, warps_per_sm,
              int(t[3]), kK, kVec * 4, total ? sum / total : 0.0, rank(0.0001), rank(0.05),
              rank(0.25), rank(0.5), rank(0.75), rank(0.95), period, steady,
              bytes / double(t[1] - t[0]));
  std::fflush(stdout);
}

template <int kK, int kVec, int kMode>
static void sweep(const char* level, uint64_t footprint, uint32_t scatter, const Set& set,
                  const std::vector<int>& warps) {
  for (int w : warps) {
    measure<kK, kVec, kMode>(level, footprint, scatter, set, w);
  }
}

int main() {
  const int sms = sm_count();
  x_data = device_alloc<char>(kDramBytes);
  y_data = device_alloc<char>(kDramBytes);
  histogram = device_alloc<uint32_t>(kBins);
  times = device_alloc<unsigned long long>(4);
  const Set all = all_sms(sms);
  const uint32_t scatter = 2654435761u;
  std::printf(
      "level,footprint_mb,pattern,mode,sms,sm_count,warps_per_sm,warps,k,bytes_per_lane,latency_"
      "mean,"
      "min,p5,p25,p50,p75,p95,period_cycles,bytes_per_cycle_per_sm,gb_per_s\n");
  const std::vector<int> fine = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64};
  const std::vector<int> coarse = {1, 2, 4, 8, 16, 32, 64};
  const std::vector<int> few = {4, 8, 16, 32, 48, 64};
  sweep<1, 1, kLoad>("dram", kDramBytes, 1, all, fine);  // also warms clocks and tables
  sweep<1, 1, kLoad>("dram", kDramBytes, 1, all, fine);
  sweep<2, 1, kLoad>("dram", kDramBytes, 1, all, fine);
  sweep<4, 1, kLoad>("dram", kDramBytes, 1, all, fine);
  sweep<8, 1, kLoad>("dram", kDramBytes, 1, all, fine);
  sweep<1, 4, kLoad>("dram", kDramBytes, 1, all, coarse);
  sweep<2, 4, kLoad>("dram", kDramBytes, 1, all, coarse);
  sweep<4, 4, kLoad>("dram", kDramBytes, 1, all, coarse);
  sweep<1, 1, kLoad>("dram", kDramBytes, scatter, all, {8, 32, 64});
  sweep<4, 1, kLoad>("dram", kDramBytes, scatter, all, {8, 32, 64});
  sweep<1, 1, kLoadStore>("dram", kDramBytes, 1, all, few);
  sweep<4, 1, kLoadStore>("dram", kDramBytes, 1, all, few);
  sweep<1, 1, kSaxpy>("dram", kDramBytes, 1, all, few);
  sweep<2, 1, kSaxpy>("dram", kDramBytes, 1, all, few);
  sweep<4, 1, kSaxpy>("dram", kDramBytes, 1, all, few);
  sweep<1, 4, kSaxpy>("dram", kDramBytes, 1, all, few);
  sweep<1, 1, kStore>("dram", kDramBytes, 1, all, {1, 4, 16, 64});
  sweep<4, 1, kStore>("dram", kDramBytes, 1, all, {1, 4, 16, 64});
  sweep<1, 4, kStore>("dram", kDramBytes, 1, all, {4, 16, 64});
  for (uint64_t megabytes : {8, 16, 32}) {
    const uint64_t bytes = megabytes << 20;
    sweep<1, 1, kLoad>("l2", bytes, scatter, all, coarse);
    sweep<4, 1, kLoad>("l2", bytes, scatter, all, coarse);
    sweep<2, 4, kLoad>("l2", bytes, scatter, all, coarse);
    if (megabytes == 8) {
      sweep<2, 1, kLoad>("l2", bytes, scatter, all, coarse);
      sweep<8, 1, kLoad>("l2", bytes, scatter, all, coarse);
      sweep<1, 4, kLoad>("l2", bytes, scatter, all, coarse);
      sweep<4, 4, kLoad>("l2", bytes, scatter, all, coarse);
      sweep<1, 1, kSaxpy>("l2", bytes, scatter, all, few);
      sweep<4, 1, kSaxpy>("l2", bytes, scatter, all, few);
      sweep<1, 1, kStore>("l2", bytes, scatter, all, {4, 16, 64});
      sweep<4, 1, kStore>("l2", bytes, scatter, all, {4, 16, 64});
    }
  }
  // A few SMs only: one, two of a TPC, two apart, then more.
  std::vector<Set> sets = {some_sms("sm0", {0}), some_sms("sm0+1", {0, 1}),
                           some_sms("sm0+64", {0, 64})};
  std::vector<int> eight, half, third;
  for (int s = 0; s < sms; ++s) {
    if (s % 16 == 0 && s < 128) {
      eight.push_back(s);
    }
    if (s % 2 == 0) {
      half.push_back(s);
    }
    if (s % 4 == 0) {
      third.push_back(s);
    }
  }
  sets.push_back(some_sms("every16", eight));
  sets.push_back(some_sms("every4", third));
  sets.push_back(some_sms("every2", half));
  for (const Set& set : sets) {
    sweep<1, 1, kLoad>("dram", kDramBytes, 1, set, {1, 8, 32, 64});
    sweep<8, 1, kLoad>("dram", kDramBytes, 1, set, {1, 8, 32, 64});
    sweep<4, 4, kLoad>("dram", kDramBytes, 1, set, {1, 8, 32, 64});
    sweep<1, 1, kLoad>("l2", 8 << 20, scatter, set, {1, 8, 32, 64});
    sweep<8, 1, kLoad>("l2", 8 << 20, scatter, set, {1, 8, 32, 64});
    sweep<4, 4, kLoad>("l2", 8 << 20, scatter, set, {1, 8, 32, 64});
  }
  return 0;
}
