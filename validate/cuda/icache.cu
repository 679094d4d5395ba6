// Instruction caches: straight code of n FFMA instructions (16 bytes each) run in a loop. Cycles
// per instruction of the first pass (cold) and of later passes (warm as far as the caches hold the
// code).
#include "common.cuh"

template <int kCount>
__global__ void straight(float y, int warm_passes, uint32_t* out, float* sink) {
  float x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = threadIdx.x + i;
  }
  uint32_t first = 0;
  uint32_t warm = 0;
#pragma unroll 1
  for (int pass = 0; pass < 1 + warm_passes; ++pass) {
    __syncthreads();
    const uint32_t before = read_clock();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i % 8]) : "f"(y));
    }
    const uint32_t elapsed = read_clock() - before;
    if (pass == 0) {
      first = elapsed;
    } else {
      warm += elapsed;
    }
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += x[i];
  }
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    out[blockIdx.x * 2] = first;
    out[blockIdx.x * 2 + 1] = warm;
  }
}

__global__ void sweep_l2(float* data, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    data[i] = data[i] * 2.0f;
  }
}

static uint32_t* out;
static float* sink;
static float* flush;

template <int kCount>
static void report() {
  const int passes = 4;
  const int sms = sm_count();
  for (int warps : {1, 4, 16}) {
    for (int grid : {1, sms}) {
      for (const char* before : {"first_launch_or_flushed", "relaunch"}) {
        if (before[0] == 'f') {
          sweep_l2<<<sms * 8, 256>>>(flush, (256u << 20) / 4);
          CHECK(cudaDeviceSynchronize());
        }
        straight<kCount><<<grid, warps * 32>>>(1.0f, passes, out, sink);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        const auto values = to_host(out, grid * 2);
        std::vector<double> first, warm;
        for (int b = 0; b < grid; ++b) {
          first.push_back(values[2 * b]);
          warm.push_back(double(values[2 * b + 1]) / passes);
        }
        std::printf("%d,%d,%d,%d,%s,%.0f,%.3f,%.0f,%.3f\n", kCount, kCount * 16, warps, grid,
                    before, percentile(first, 50), percentile(first, 50) / kCount,
                    percentile(warm, 50), percentile(warm, 50) / kCount);
      }
    }
  }
}

int main() {
  out = device_alloc<uint32_t>(1024);
  sink = device_alloc<float>(1024);
  flush = device_alloc<float>((256u << 20) / 4);
  std::printf(
      "instructions,bytes,warps,grid,state,first_cycles,first_per_instr,warm_cycles,warm_per_"
      "instr\n");
  report<32>();
  report<64>();
  report<128>();
  report<256>();
  report<512>();
  report<1024>();
  report<1536>();
  report<2048>();
  report<3072>();
  report<4096>();
  report<6144>();
  report<8192>();
  report<12288>();
  report<16384>();
  return 0;
}
