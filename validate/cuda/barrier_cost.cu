// Cost of __syncthreads, __syncwarp, a named barrier and a loop back-edge, by warps per block.
#include "common.cuh"

enum Kind { kSyncThreads, kSyncWarp, kNamed, kLoop, kBranchDivergent, kArriveWaitSkew };

template <int kKind>
__global__ void __launch_bounds__(1024) cost(int rounds, uint32_t* out, uint32_t* sink) {
  uint32_t value = threadIdx.x;
  uint32_t before = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    before = read_clock();
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
      if (kKind == kLoop) {
        asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(value) : "r"(i));
      } else if (kKind == kBranchDivergent) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          if (value & 1) {
            asm volatile("add.u32 %0, %0, 2;" : "+r"(value));
            asm volatile("" ::: "memory");
            if (value == 0x7fffffff) {
              sink[0] = 1;
            }
          }
        }
      } else {
#pragma unroll
        for (int j = 0; j < 32; ++j) {
          if (kKind == kSyncThreads) {
            asm volatile("bar.sync 0;" ::: "memory");
          } else if (kKind == kSyncWarp) {
            asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
          } else if (kKind == kNamed) {
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
          }
        }
      }
    }
  }
  const uint32_t after = read_clock();
  sink[threadIdx.x] = value;
  if (threadIdx.x % 32 == 0) {
    out[blockIdx.x * 32 + threadIdx.x / 32] = after - before;
  }
}

static uint32_t* out;
static uint32_t* sink;

template <int kKind>
static void report(const char* name, int per_round, int rounds) {
  for (int warps : {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32}) {
    cost<kKind><<<1, warps * 32>>>(rounds, out, sink);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    auto values = to_host(out, warps);
    const double cycles = *std::max_element(values.begin(), values.end());
    std::printf("%s,%d,%.2f\n", name, warps, cycles / rounds / per_round);
  }
}

int main() {
  out = device_alloc<uint32_t>(32);
  sink = device_alloc<uint32_t>(1024);
  std::printf("kind,warps,cycles_each\n");
  report<kSyncThreads>("bar_sync", 32, 16);
  report<kNamed>("bar_sync_named", 32, 16);
  report<kSyncWarp>("warp_sync", 32, 16);
  report<kLoop>("loop_iteration_with_imad", 1, 256);
  report<kBranchDivergent>("divergent_if", 8, 64);
  return 0;
}
