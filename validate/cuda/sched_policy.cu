// Which warp does a scheduler pick? Parts:
//   order  one block; only the warps of one sub-partition work (warp index = part mod 4): long runs
//   of
//          independent instructions with a clock stamp every few, written out raw. The second pass
//          over the code is kept, so that the instruction caches are warm.
//   age    is the youngest warp the one launched last, or the one in the highest hardware slot?
//   slots  do two warps share a sub-partition? Time of two busy warps by their hardware slots.
#include <map>

#include "common.cuh"

constexpr int kStamps = 24;
constexpr int kMaxWarps = 16;

enum Mix { kFfma = 0, kIadd = 1, kFfmaStall = 2, kMixed = 3, kClock = 4 };

template <int kMix, int kGap>
__device__ __forceinline__ void work(float (&x)[8], uint32_t (&a)[8], float y, uint32_t b) {
#pragma unroll
  for (int i = 0; i < kGap; ++i) {
    if (kMix == kFfma) {
      asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i % 8]) : "f"(y));
    } else if (kMix == kIadd) {
      asm volatile("lop3.b32 %0, %1, %0, %2, 0x6a;" : "+r"(a[i % 8]) : "r"(b), "r"(a[7]));
    } else if (kMix == kFfmaStall) {  // dependent: stall count 4
      asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[0]) : "f"(y));
    } else if (kMix == kMixed) {  // two independent, then one dependent
      asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i % 2]) : "f"(y));
    }
  }
}

template <int kMix, int kGap>
__global__ void __launch_bounds__(1024)
    order(int part, int warps, float y, uint32_t b, uint32_t* stamps, uint32_t* sink) {
  const int warp = threadIdx.x / 32;
  const bool active = warp % 4 == part && warp / 4 < warps;
  float x[8];
  uint32_t a[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = threadIdx.x + i;
    a[i] = threadIdx.x + i;
  }
  uint32_t stamp[kStamps];
#pragma unroll
  for (int i = 0; i < kStamps; ++i) {
    stamp[i] = 0;
  }
#pragma unroll 1
  for (int pass = 0; pass < 3; ++pass) {
    __syncthreads();
    if (active) {
#pragma unroll
      for (int i = 0; i < kStamps; ++i) {
        stamp[i] = read_clock();
        work<kMix, kGap>(x, a, y, b);
      }
    }
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += x[i] + a[i];
  }
  sink[threadIdx.x] = __float_as_uint(sum);
  if (active && threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < kStamps; ++i) {
      stamps[(warp / 4) * kStamps + i] = stamp[i];
    }
  }
}

static uint32_t* stamps;
static uint32_t* sink;

template <int kMix, int kGap>
static void report_order(const char* name) {
  for (int warps : {2, 4, 8}) {
    order<kMix, kGap><<<1, warps * 128>>>(0, warps, 1.0f, 3, stamps, sink);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const auto values = to_host(stamps, kMaxWarps * kStamps);
    uint32_t first = values[0];
    for (int w = 0; w < warps; ++w) {
      if (int32_t(values[w * kStamps] - first) < 0) {
        first = values[w * kStamps];
      }
    }
    for (int w = 0; w < warps; ++w) {
      std::printf("%s,%d,%d,%d", name, kGap, warps, w);
      for (int i = 0; i < kStamps; ++i) {
        std::printf(",%u", values[w * kStamps + i] - first);
      }
      std::printf("\n");
    }
  }
}

// Two warps, of hardware slots `first` and `second`, run independent FFMAs at the same time.
__global__ void __launch_bounds__(1024)
    pair(uint32_t smid, uint32_t first, uint32_t second, float y, uint32_t* out, uint32_t* sink) {
  const uint32_t slot = read_warp_slot();
  const bool mine = read_smid() == smid;
  // All warps of the SM agree on a start: the next multiple of 2^17 cycles.
  const uint64_t now = read_clock64();
  const uint64_t target = ((now >> 17) + 1) << 17;
  if (!mine || (slot != first && slot != second)) {
    while (read_clock64() < target + 3000) {
    }
    return;
  }
  float x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = threadIdx.x + i;
  }
  uint32_t before = 0;
  for (int pass = 0; pass < 2; ++pass) {
    while (pass == 1 && read_clock64() < target) {
    }
    before = read_clock();
#pragma unroll 1
    for (int n = 0; n < 8; ++n) {
#pragma unroll
      for (int i = 0; i < 64; ++i) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i % 8]) : "f"(y));
      }
    }
  }
  const uint32_t after = read_clock();
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += x[i];
  }
  sink[threadIdx.x] = __float_as_uint(sum);
  if (threadIdx.x % 32 == 0) {
    atomicMax(out, after - before);
  }
}

static void report_slots() {
  struct Case {
    int grid_per_sm, block;
  };
  std::printf("blocks_per_sm,block,slot_a,slot_b,cycles\n");
  for (const Case& c : {Case{1, 320}, Case{4, 160}, Case{6, 96}}) {
    const int slots = c.grid_per_sm * c.block / 32;
    for (int second = 1; second < slots && second < 20; ++second) {
      CHECK(cudaMemset(sink, 0, 4));
      pair<<<c.grid_per_sm * sm_count(), c.block>>>(4, 0, second, 1.0f, sink, sink + 1024);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      std::printf("%d,%d,0,%d,%u\n", c.grid_per_sm, c.block, second, to_host(sink, 1)[0]);
    }
  }
}

constexpr int kRepeats = 4;

struct AgeLog {
  uint64_t start;
  uint64_t target;
  uint32_t stamp[kRepeats + 1];  // start of each of the repeats, and the end
  uint32_t smid;
  uint32_t slot;
};

// The warps of a sub-partition are in five rows of hardware slots: five blocks of four warps, where
// the block in row `leaver` ends early and a later block takes its slots, or one block of 20 warps.
// At a common moment the warps in row `hog` start many repeats of 128 FFMAs; meanwhile the loads
// return for which all others wait. At the hog's first bubble after that (a loop's back edge) all
// others are eligible, and the order in which they run is the scheduler's choice. All run the same,
// warm, code.
__global__ void __launch_bounds__(640) age(int first_wave, uint32_t leaver, uint32_t hog, float y,
                                           const float* zeros, AgeLog* log, uint32_t* sink) {
  const uint64_t start = read_clock64();
  const uint32_t slot = read_warp_slot();
  const uint32_t row = slot / 4;
  if (static_cast<int>(blockIdx.x) < first_wave && row == leaver) {
    while (read_clock64() - start < 4000) {
    }
    return;
  }
  const uint64_t target = ((start >> 16) + 2) << 16;
  const uint64_t wake = row == hog ? target : target - 500;
  float x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = threadIdx.x + i;
  }
  uint32_t stamp[kRepeats + 1];
  const float* address = zeros + (blockIdx.x * blockDim.x + threadIdx.x) * 32;
  const int repeats = row == hog ? 24 : kRepeats;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {  // the first pass fills the instruction caches
    while (pass == 1 && read_clock64() < wake) {
    }
    if (row != hog) {
      float loaded;
      asm volatile("ld.global.cv.f32 %0, [%1];" : "=f"(loaded) : "l"(address + pass * (8 << 20)));
      asm volatile("add.f32 %0, %0, %1;" : "+f"(x[0]) : "f"(loaded));
    }
#pragma unroll 1
    for (int n = 0; n < repeats; ++n) {
      const uint32_t now = read_clock();
#pragma unroll
      for (int k = 0; k < kRepeats; ++k) {
        stamp[k] = n == k ? now : stamp[k];
      }
#pragma unroll
      for (int i = 0; i < 128; ++i) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i % 8]) : "f"(y));
      }
    }
    stamp[kRepeats] = read_clock();
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += x[i];
  }
  sink[threadIdx.x] = __float_as_uint(sum);
  if (threadIdx.x % 32 == 0) {
    AgeLog& entry = log[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32];
    entry.start = start;
    entry.target = target;
    for (int k = 0; k <= kRepeats; ++k) {
      entry.stamp[k] = stamp[k];
    }
    entry.smid = read_smid();
    entry.slot = slot;
  }
}

static void report_age_case(const char* name, int block, int smem, uint32_t leaver, uint32_t hog) {
  const int sms = sm_count();
  const int first_wave = sms * (block == 128 ? 5 : 1);
  const int grid = first_wave + (block == 128 ? sms : 0);
  const int entries = grid * (block / 32);
  AgeLog* device_log = device_alloc<AgeLog>(entries);
  float* zeros = device_alloc<float>(32 << 20);
  CHECK(cudaFuncSetAttribute(age, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 * 1024));
  age<<<grid, block, smem>>>(first_wave, leaver, hog, 1.0f, zeros, device_log, sink);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const auto log = to_host(device_log, entries);
  std::map<std::string, int> counts;
  int shown = 0;
  for (int sm = 0; sm < sms; ++sm) {
    for (uint32_t part = 0; part < 4; ++part) {
      std::vector<AgeLog> warps;
      for (const AgeLog& entry : log) {
        if (entry.start != 0 && int(entry.smid) == sm && entry.slot % 4 == part) {
          warps.push_back(entry);
        }
      }
      bool usable = warps.size() == 5;
      for (const AgeLog& entry : warps) {
        usable = usable && entry.target == warps[0].target;
      }
      if (!usable) {
        continue;
      }
      std::sort(warps.begin(), warps.end(), [](const AgeLog& a, const AgeLog& b) {
        return int32_t(a.stamp[kRepeats] - b.stamp[kRepeats]) < 0;
      });
      std::string text;
      std::string times;
      for (const AgeLog& entry : warps) {
        int rank = 0;
        for (const AgeLog& other : warps) {
          rank += other.start < entry.start;
        }
        const std::string label = (entry.slot / 4 == hog ? "H" : "") +
                                  std::to_string(entry.slot / 4) + ":" + std::to_string(rank);
        text += label + " ";
        times += label + "(";
        for (int k = 0; k <= kRepeats; ++k) {
          times +=
              (k > 0 ? " " : "") + std::to_string(int32_t(entry.stamp[k] - uint32_t(entry.target)));
        }
        times += ") ";
      }
      ++counts[text];
      if (shown++ < 6) {
        std::printf("%s,%u,%u,%s,example\n", name, leaver, hog, times.c_str());
      }
    }
  }
  for (const auto& entry : counts) {
    std::printf("%s,%u,%u,%s,%d\n", name, leaver, hog, entry.first.c_str(), entry.second);
  }
  CHECK(cudaFree(device_log));
  CHECK(cudaFree(zeros));
}

static void report_age() {
  std::printf("case,leaver_row,hog_row,order_of_ends_as_row:age_rank,count\n");
  for (uint32_t leaver = 0; leaver < 5; ++leaver) {
    report_age_case("five_blocks", 128, 44 * 1024, leaver, (leaver + 2) % 5);
  }
  for (uint32_t hog : {0u, 2u, 4u}) {
    report_age_case("one_block", 640, 200 * 1024, 99, hog);
  }
}

int main(int argc, char** argv) {
  stamps = device_alloc<uint32_t>(kMaxWarps * kStamps);
  sink = device_alloc<uint32_t>(4096);
  if (argc > 1 && std::strcmp(argv[1], "slots") == 0) {
    report_slots();
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "age") == 0) {
    report_age();
    return 0;
  }
  std::printf("mix,instructions_between_stamps,warps,warp");
  for (int i = 0; i < kStamps; ++i) {
    std::printf(",s%d", i);
  }
  std::printf("\n");
  report_order<kFfma, 3>("ffma");
  report_order<kFfma, 7>("ffma");
  report_order<kFfma, 15>("ffma");
  report_order<kFfma, 31>("ffma");
  report_order<kIadd, 7>("lop3");
  report_order<kFfmaStall, 4>("ffma_dependent");
  report_order<kMixed, 8>("ffma_two_chains");
  report_order<kClock, 0>("clock_only");
  return 0;
}
