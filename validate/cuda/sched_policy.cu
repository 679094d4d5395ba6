// Which warp does a scheduler pick? Parts:
//   order  one block; only the warps of one sub-partition work (warp index = part mod 4): long runs
//   of
//          independent instructions with a clock stamp every few, written out raw. The second pass
//          over the code is kept, so that the instruction caches are warm.
//   slots  do two warps share a sub-partition? Time of two busy warps by their hardware slots.
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

int main(int argc, char** argv) {
  stamps = device_alloc<uint32_t>(kMaxWarps * kStamps);
  sink = device_alloc<uint32_t>(4096);
  if (argc > 1 && std::strcmp(argv[1], "slots") == 0) {
    report_slots();
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
