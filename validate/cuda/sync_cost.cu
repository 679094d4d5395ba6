// Grid-wide synchronisation, clusters, distributed shared memory and fences.
#include <cooperative_groups.h>

#include "common.cuh"

namespace cg = cooperative_groups;

__global__ void grid_sync(int rounds, uint64_t* out) {
  cg::grid_group grid = cg::this_grid();
  grid.sync();
  const uint64_t before = read_clock64();
  for (int i = 0; i < rounds; ++i) {
    grid.sync();
  }
  const uint64_t after = read_clock64();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = after - before;
  }
}

__global__ void cluster_sync(int rounds, uint64_t* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  const uint64_t before = read_clock64();
  for (int i = 0; i < rounds; ++i) {
    cluster.sync();
  }
  const uint64_t after = read_clock64();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = after - before;
  }
}

// Thread 0 of rank 0 chases a pointer in the shared memory of rank `target`.
__global__ void dsmem_chase(int target, int rounds, uint64_t* out, uint32_t* smids) {
  __shared__ uint32_t words[64];
  cg::cluster_group cluster = cg::this_cluster();
  uint32_t local = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  uint32_t remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(local), "r"(target));
  // Rank `target` stores, in its own word, the cluster address by which rank 0 reaches that word.
  if (threadIdx.x == 0) {
    smids[cluster.block_rank()] = read_smid();
    if (int(cluster.block_rank()) == target) {
      words[0] = remote;
    }
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    uint32_t address = remote;
    asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(address)::"memory");
    const uint32_t before = read_clock_after(address);
    for (int i = 0; i < rounds; ++i) {
      asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(address)::"memory");
    }
    out[0] = read_clock_after(address) - before;
  }
  cluster.sync();
}

enum Fence { kNone, kCta, kGpu, kSys };

template <int kFence, bool kStore>
__global__ void fence(int rounds, uint32_t* data, uint64_t* out) {
  uint32_t* mine = data + blockIdx.x * 4096 + threadIdx.x;
  const uint64_t before = read_clock64();
  for (int i = 0; i < rounds; ++i) {
    if (kStore) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(mine + (i % 4) * 1024), "r"(i) : "memory");
    }
    if (kFence == kCta) {
      __threadfence_block();
    } else if (kFence == kGpu) {
      __threadfence();
    } else if (kFence == kSys) {
      __threadfence_system();
    }
  }
  const uint64_t after = read_clock64();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = after - before;
  }
}

static uint64_t* out;
static uint32_t* data;

static double median_of(int count) {
  const auto host = to_host(out, count);
  std::vector<double> values(host.begin(), host.end());
  return percentile(values, 50);
}

template <int kFence, bool kStore>
static void report_fence(const char* name) {
  for (int grid : {1, 132}) {
    for (int block : {32, 256, 1024}) {
      const int rounds = 64;
      for (int repeat = 0; repeat < 2; ++repeat) {
        fence<kFence, kStore><<<grid, block>>>(rounds, data, out);
        CHECK(cudaDeviceSynchronize());
      }
      std::printf("fence_%s%s,%d,%d,%.1f\n", name, kStore ? "_after_store" : "", grid, block,
                  median_of(grid) / rounds);
    }
  }
}

static cudaLaunchConfig_t cluster_config(int size, int clusters, int block,
                                         cudaLaunchAttribute* attribute) {
  cudaLaunchConfig_t config = {};
  config.gridDim = size * clusters;
  config.blockDim = block;
  attribute->id = cudaLaunchAttributeClusterDimension;
  attribute->val.clusterDim.x = size;
  attribute->val.clusterDim.y = 1;
  attribute->val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  return config;
}

int main() {
  const int sms = sm_count();
  out = device_alloc<uint64_t>(8192);
  data = device_alloc<uint32_t>(1 << 22);
  uint32_t* smids = device_alloc<uint32_t>(16);
  std::printf("kind,grid_or_size,block,cycles\n");
  for (int per_sm : {1, 2, 4, 8}) {
    for (int block : {32, 128, 256, 1024}) {
      if (per_sm * block > 2048) {
        continue;
      }
      int rounds = 50;
      void* arguments[] = {&rounds, &out};
      CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sync), dim3(sms * per_sm),
                                        dim3(block), arguments, 0, 0));
      CHECK(cudaDeviceSynchronize());
      std::printf("grid_sync,%d,%d,%.1f\n", sms * per_sm, block, median_of(sms * per_sm) / rounds);
    }
  }
  for (int grid : {2, 16, 66}) {
    int rounds = 50;
    void* arguments[] = {&rounds, &out};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sync), dim3(grid), dim3(256),
                                      arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    std::printf("grid_sync,%d,%d,%.1f\n", grid, 256, median_of(grid) / rounds);
  }
  CHECK(cudaFuncSetAttribute(cluster_sync, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(cudaFuncSetAttribute(dsmem_chase, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchAttribute attribute;
  for (int size : {1, 2, 4, 8, 16}) {
    for (int block : {32, 256, 1024}) {
      auto config = cluster_config(size, 4, block, &attribute);
      CHECK(cudaLaunchKernelEx(&config, cluster_sync, 100, out));
      CHECK(cudaDeviceSynchronize());
      std::printf("cluster_sync,%d,%d,%.1f\n", size, block, median_of(size * 4) / 100);
    }
  }
  for (int size : {2, 4, 8, 16}) {
    for (int target = 0; target < size; ++target) {
      auto config = cluster_config(size, 1, 32, &attribute);
      CHECK(cudaLaunchKernelEx(&config, dsmem_chase, target, 256, out, smids));
      CHECK(cudaDeviceSynchronize());
      const auto ids = to_host(smids, size);
      std::printf("dsmem_load_sm%u_to_sm%u,%d,%d,%.1f\n", ids[0], ids[target], size, target,
                  to_host(out, 1)[0] / 256.0);
    }
  }
  report_fence<kNone, true>("none");
  report_fence<kCta, false>("cta");
  report_fence<kGpu, false>("gpu");
  report_fence<kSys, false>("sys");
  report_fence<kCta, true>("cta");
  report_fence<kGpu, true>("gpu");
  report_fence<kSys, true>("sys");
  return 0;
}
