// Where blocks may live: which SMs share a GPC, how many clusters are resident, and which shared-memory split the
// driver chooses. Prints the first two; run it under Nsight Compute for the third:
//
//   nvcc -O2 -std=c++17 -arch=native -o residency residency.cu
//   ./residency clusters
//   ncu --clock-control none --csv --page raw --print-units base --metrics launch__shared_mem_config_size,... ./residency splits
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                \
  do {                                                                             \
    const cudaError_t error = (call);                                              \
    if (error != cudaSuccess) {                                                    \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));                   \
      cudaGetLastError();                                                          \
    }                                                                              \
  } while (0)

__global__ void record_sm(unsigned* sm_of_block, long long spin_cycles) {
  extern __shared__ char room[];
  if (threadIdx.x == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    sm_of_block[blockIdx.x] = sm;
    room[0] = static_cast<char>(sm);
    const long long start = clock64();
    while (clock64() - start < spin_cycles) {
    }
  }
}

cudaLaunchConfig_t cluster_config(int grid, int block, int smem, cudaLaunchAttribute* attribute, int cluster) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.dynamicSmemBytes = smem;
  attribute->id = cudaLaunchAttributeClusterDimension;
  attribute->val.clusterDim.x = cluster;
  attribute->val.clusterDim.y = 1;
  attribute->val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  return config;
}

void clusters() {
  CHECK(cudaFuncSetAttribute(record_sm, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(cudaFuncSetAttribute(record_sm, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  std::printf("max active clusters, by blocks per SM and cluster size\n");
  for (const int per_sm : {1, 2, 3, 4, 8}) {
    const int smem = (233472 / per_sm / 128) * 128 - 1024;
    std::printf("%d per SM (%d B):", per_sm, smem);
    for (int size = 1; size <= 16; ++size) {
      cudaLaunchAttribute attribute;
      cudaLaunchConfig_t config = cluster_config(size * 1000, 128, smem, &attribute, size);
      int count = -1;
      CHECK(cudaOccupancyMaxActiveClusters(&count, record_sm, &config));
      std::printf(" %d:%d", size, count);
    }
    std::printf("\n");
  }

  int sms = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  std::vector<int> group(sms);
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int sm) {
    while (group[sm] != sm) sm = group[sm];
    return sm;
  };
  unsigned* device = nullptr;
  CHECK(cudaMalloc(&device, sizeof(unsigned) * 4096));
  for (int size = 16; size >= 2; --size) {
    const int blocks = size * (2 * sms / size);
    std::vector<unsigned> sm_of_block(blocks);
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = cluster_config(blocks, 128, 200000, &attribute, size);
    CHECK(cudaLaunchKernelEx(&config, record_sm, device, 200000LL));
    CHECK(cudaMemcpy(sm_of_block.data(), device, sizeof(unsigned) * blocks, cudaMemcpyDeviceToHost));
    std::vector<bool> seen(sms);
    for (int b = 0; b < blocks; ++b) {
      seen[sm_of_block[b]] = true;
      group[root(sm_of_block[b])] = root(sm_of_block[b - b % size]);
    }
    std::printf("cluster size %d: %d SMs used\n", size, static_cast<int>(std::count(seen.begin(), seen.end(), true)));
  }
  std::map<int, std::vector<int>> members;
  for (int sm = 0; sm < sms; ++sm) members[root(sm)].push_back(sm);
  std::printf("%d groups of SMs that shared clusters\n", static_cast<int>(members.size()));
  for (const auto& [r, list] : members) {
    std::printf("%d:", static_cast<int>(list.size()));
    for (const int sm : list) std::printf(" %d", sm);
    std::printf("\n");
  }
}

__global__ void few_registers(float* out) {
  extern __shared__ float few_room[];
  if (out != nullptr) out[threadIdx.x] = few_room[threadIdx.x % 8];
}

// About 100 values alive at once.
__global__ void many_registers(float* out, const float* in) {
  extern __shared__ float many_room[];
  float value[100];
  if (out != nullptr) {
#pragma unroll
    for (int i = 0; i < 100; ++i) value[i] = in[i * blockDim.x + threadIdx.x];
    __syncthreads();
    float sum = many_room[threadIdx.x % 8];
#pragma unroll
    for (int i = 0; i < 100; ++i) sum = sum * value[i] + value[99 - i];
    out[threadIdx.x] = sum;
  }
}

void splits() {
  CHECK(cudaFuncSetAttribute(few_registers, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  CHECK(cudaFuncSetAttribute(many_registers, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  const int sizes[] = {0, 64, 1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152, 66560, 99328, 116000, 150000, 232448};
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    for (const int smem : sizes) {
      few_registers<<<1000, block, smem>>>(nullptr);
      CHECK(cudaGetLastError());
    }
  }
  for (const int block : {64, 128, 256, 512}) {
    for (const int smem : sizes) {
      many_registers<<<1000, block, smem>>>(nullptr, nullptr);
      CHECK(cudaGetLastError());
    }
  }
  for (const int percent : {0, 10, 50, 100}) {
    CHECK(cudaFuncSetAttribute(few_registers, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
    for (const int smem : {0, 4096, 49152}) {
      few_registers<<<1000, 256, smem>>>(nullptr);
      CHECK(cudaGetLastError());
    }
  }
  few_registers<<<1, 32>>>(nullptr);  // a grid of one block
  CHECK(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "splits") == 0) {
    splits();
  } else {
    clusters();
  }
  return 0;
}
