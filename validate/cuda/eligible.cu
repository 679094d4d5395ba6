// Occupancy, instruction-level parallelism and arithmetic intensity, varied one by one over the same
// work: every thread makes kLoads loads from DRAM, and FMA multiply-adds with each value; ILP loads
// and chains are independent at a time, and shared memory decides how many warps are resident.
// configs/kernels/loads_and_chains.yaml is the same for smsim. Prints what each launch is; the counters
// come from Nsight Compute (capture.sh, part eligible).
#include "common.cuh"

constexpr int kLoads = 16;
constexpr int kWaves = 2;
constexpr int kThreads = 256;

template <int ILP, int FMA>
__global__ void __launch_bounds__(kThreads)
    loads_and_chains(const float* __restrict__ x, float* out, float a, int stride) {
  int k = blockIdx.x * kThreads + threadIdx.x;
  const int i = k;
  float s[ILP] = {};
#pragma unroll 1
  for (int round = 0; round < kLoads / ILP; ++round) {
    float v[ILP];
#pragma unroll
    for (int c = 0; c < ILP; ++c) v[c] = x[k + c * stride];
#pragma unroll
    for (int step = 0; step < FMA; ++step) {
#pragma unroll
      for (int c = 0; c < ILP; ++c) s[c] = fmaf(v[c], a, s[c]);
    }
    // The next address depends on a result, so that rounds do not overlap.
    k += ILP * stride + (__float_as_int(s[0]) == 0x7fc12345 ? 1 : 0);
  }
  float sum = s[0];
#pragma unroll
  for (int c = 1; c < ILP; ++c) sum += s[c];
  out[i] = sum;
}

int id = 0;  // of the launch, as Nsight Compute counts

template <int ILP, int FMA>
void launch(int sms, const float* x, float* out) {
  const int grid = sms * 8 * kWaves;
  for (int warps : {8, 16, 32, 64}) {
    const int smem = warps < 64 ? 227 * 1024 / (warps / 8) - 1024 : 0;
    auto* kernel = loads_and_chains<ILP, FMA>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
    kernel<<<grid, kThreads, smem>>>(x, out, 1.0001f, grid * kThreads);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::printf("%d,%d,%d,%d\n", id++, warps, ILP, FMA);
  }
}

template <int FMA>
void launch_all_ilp(int sms, const float* x, float* out) {
  launch<1, FMA>(sms, x, out);
  launch<2, FMA>(sms, x, out);
  launch<4, FMA>(sms, x, out);
  launch<8, FMA>(sms, x, out);
}

int main() {
  int sms = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const size_t threads = size_t(sms) * 8 * kWaves * kThreads;
  float* x = nullptr;
  float* out = nullptr;
  CHECK(cudaMalloc(&x, threads * (kLoads + 1) * sizeof(float)));
  CHECK(cudaMemset(x, 0, threads * (kLoads + 1) * sizeof(float)));
  CHECK(cudaMalloc(&out, threads * sizeof(float)));
  std::printf("id,warps,ilp,fma\n");
  launch_all_ilp<2>(sms, x, out);
  launch_all_ilp<8>(sms, x, out);
  launch_all_ilp<32>(sms, x, out);
  launch_all_ilp<128>(sms, x, out);
  return 0;
}
