// Launch rate and start/end cost: kernels that do (almost) nothing, over grids, block sizes,
// register counts and shared memory. Run under ncu; the printed row n belongs to ncu's launch ID n.
#include "common.cuh"

__global__ void empty_exit() {}

__global__ void empty_guard(int n, float* out) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n) {
    out[index] = 1.0f;
  }
}

// Reserves about kLive registers per thread; the body never runs.
template <int kLive>
__global__ void empty_registers(int n, volatile float* out) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n) {
    float live[kLive];
#pragma unroll
    for (int i = 0; i < kLive; ++i) {
      live[i] = out[index + i * 64];
    }
#pragma unroll
    for (int i = 0; i < kLive; ++i) {
      out[index + i * 64] = live[i] * live[(i + 1) % kLive];
    }
  }
}

static int launch_id = 0;

static void row(const char* kernel, int grid, int block, int smem, const void* function) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, function));
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::printf("%d,%s,%d,%d,%d,%d\n", launch_id++, kernel, grid, block, attributes.numRegs, smem);
}

template <int kLive>
static void register_rows(float* out, int sms) {
  for (int block : {128, 256}) {
    for (int waves : {128, 256}) {
      empty_registers<kLive><<<sms * waves, block>>>(0, out);
      row("empty_registers", sms * waves, block, 0,
          reinterpret_cast<const void*>(empty_registers<kLive>));
    }
  }
}

int main() {
  const int sms = sm_count();
  float* out = device_alloc<float>(1 << 20);
  CHECK(cudaDeviceSynchronize());
  const void* exit_fn = reinterpret_cast<const void*>(empty_exit);
  const void* guard_fn = reinterpret_cast<const void*>(empty_guard);
  std::printf("id,kernel,grid,block,regs,smem\n");
  for (int block : {32, 64, 96, 128, 160, 192, 256, 384, 512, 640, 768, 1024}) {
    for (int waves : {128, 256, 512}) {
      empty_guard<<<sms * waves, block>>>(0, out);
      row("empty_guard", sms * waves, block, 0, guard_fn);
    }
  }
  for (int block : {32, 128, 256, 1024}) {
    for (int waves : {128, 256}) {
      empty_exit<<<sms * waves, block>>>();
      row("empty_exit", sms * waves, block, 0, exit_fn);
    }
  }
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int grid : {1, 2, 4, 16, 66, 132, 264, 528, 1056, 2112, 4224}) {
      empty_exit<<<grid, 32>>>();
      row("empty_exit", grid, 32, 0, exit_fn);
    }
    for (int grid : {1, 132, 264, 1056, 4224}) {
      empty_guard<<<grid, 256>>>(0, out);
      row("empty_guard", grid, 256, 0, guard_fn);
    }
    for (int grid : {1, 132, 264}) {
      empty_guard<<<grid, 1024>>>(0, out);
      row("empty_guard", grid, 1024, 0, guard_fn);
    }
  }
  register_rows<24>(out, sms);
  register_rows<56>(out, sms);
  register_rows<112>(out, sms);
  register_rows<200>(out, sms);
  CHECK(cudaFuncSetAttribute(empty_guard, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  for (int smem : {1024, 8 * 1024, 48 * 1024, 100 * 1024, 200 * 1024}) {
    for (int waves : {64, 128}) {
      empty_guard<<<sms * waves, 256, smem>>>(0, out);
      row("empty_guard", sms * waves, 256, smem, guard_fn);
    }
  }
  return 0;
}
