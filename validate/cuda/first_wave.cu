// First wave: which SM gets block 0, 1, 2, ..., when each block and warp starts, and which SMs
// share a GPC (blocks of one cluster land in one GPC). Parts: blocks | warps | gpc.
#include "common.cuh"

constexpr int kEdges = 24;

struct WarpStart {
  uint64_t clock;
  uint64_t edge_timer;  // global timer at an edge, and this SM's clock there: the earliest of
  uint64_t edge_clock;  // kEdges sightings, relative to the timer
  uint32_t smid;
  uint32_t slot;
};

// Every warp notes its start. Warp 0 watches the global timer for its edges, to put the SM's clock
// on the common time line (the GPCs' clocks differ); the block stays for `hold` cycles in all.
__global__ void __launch_bounds__(1024)
    note_start(uint32_t hold, double ns_per_cycle, WarpStart* log) {
  const uint64_t clock = read_clock64();
  const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  WarpStart entry{clock, 0, 0, read_smid(), read_warp_slot()};
  if (threadIdx.x < 32) {
    double best = 1e300;
    uint64_t last = read_globaltimer();
    for (int e = 0; e < kEdges; ++e) {
      uint64_t now = last;
      while (now == last) {
        now = read_globaltimer();
      }
      const uint64_t seen = read_clock64();
      last = now;
      const double lag = double(int64_t(seen - clock)) * ns_per_cycle - double(now % (1ull << 40));
      if (lag < best) {
        best = lag;
        entry.edge_timer = now;
        entry.edge_clock = seen;
      }
    }
    while (read_clock64() - clock < hold) {
    }
  }
  if (threadIdx.x % 32 == 0) {
    log[warp] = entry;
  }
  __syncthreads();
}

// Start of a block in cycles on the common time line.
static double common_time(const WarpStart& entry, uint64_t base_timer, double cycles_per_ns) {
  return double(int64_t(entry.edge_timer - base_timer)) * cycles_per_ns -
         double(int64_t(entry.edge_clock - entry.clock));
}

constexpr double kCyclesPerNs = 1.979;

static std::vector<WarpStart> launch(int grid, int block, int smem, WarpStart* device_log) {
  CHECK(cudaFuncSetAttribute(note_start, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 * 1024));
  for (int repeat = 0; repeat < 2; ++repeat) {
    note_start<<<grid, block, smem>>>(60000, 1.0 / kCyclesPerNs, device_log);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
  }
  return to_host(device_log, static_cast<size_t>(grid) * (block / 32));
}

static void run_blocks(int sms, WarpStart* device_log) {
  struct Case {
    int grid, block, smem;
  };
  std::printf("config,repeat,grid,block,block_index,smid,slot,start_offset_cycles\n");
  const Case cases[] = {
      {sms * 32, 32, 0}, {sms * 8, 256, 0}, {sms * 2, 1024, 0},     {40, 256, 0},
      {sms, 256, 0},     {300, 256, 0},     {sms, 256, 200 * 1024},
  };
  int config = 0;
  for (const Case& c : cases) {
    for (int repeat = 0; repeat < (config == 1 ? 2 : 1); ++repeat) {
      const auto log = launch(c.grid, c.block, c.smem, device_log);
      const int warps = c.block / 32;
      double first = 1e300;
      for (int b = 0; b < c.grid; ++b) {
        first = std::min(first, common_time(log[b * warps], log[0].edge_timer, kCyclesPerNs));
      }
      for (int b = 0; b < c.grid; ++b) {
        const WarpStart& entry = log[b * warps];
        std::printf("%d,%d,%d,%d,%d,%u,%u,%.0f\n", config, repeat, c.grid, c.block, b, entry.smid,
                    entry.slot, common_time(entry, log[0].edge_timer, kCyclesPerNs) - first);
      }
    }
    ++config;
  }
}

static void run_warps(int sms, WarpStart* device_log) {
  std::printf(
      "case,grid,block,block_rank_on_sm,warp,slot,start_mean,start_p5,start_p95,same_slot\n");
  struct Case {
    int per_sm, block;
  };
  const Case cases[] = {{1, 1024}, {2, 1024}, {2, 512}, {4, 256}, {4, 160}, {6, 96}, {12, 160}};
  int id = 0;
  for (const Case& c : cases) {
    const int warps = c.block / 32;
    const int grid = c.per_sm * sms;
    const auto log = launch(grid, c.block, 0, device_log);
    // Rank of each block among the blocks of its SM, by start.
    std::vector<std::vector<std::pair<uint64_t, int>>> by_sm(sms);
    for (int b = 0; b < grid; ++b) {
      by_sm[log[b * warps].smid].push_back({log[b * warps].clock, b});
    }
    std::vector<std::vector<int>> by_rank(c.per_sm);
    for (auto& blocks : by_sm) {
      std::sort(blocks.begin(), blocks.end());
      for (size_t r = 0; r < blocks.size() && r < by_rank.size(); ++r) {
        by_rank[r].push_back(blocks[r].second);
      }
    }
    for (int r = 0; r < c.per_sm; ++r) {
      for (int w = 0; w < warps; ++w) {
        std::vector<double> starts;
        std::vector<int> slot_votes(64, 0);
        for (int b : by_rank[r]) {
          uint64_t first = UINT64_MAX;
          for (int v = 0; v < warps; ++v) {
            first = std::min(first, log[b * warps + v].clock);
          }
          starts.push_back(double(log[b * warps + w].clock - first));
          ++slot_votes[log[b * warps + w].slot % 64];
        }
        const int slot =
            int(std::max_element(slot_votes.begin(), slot_votes.end()) - slot_votes.begin());
        std::printf("%d,%d,%d,%d,%d,%d,%.1f,%.0f,%.0f,%d/%zu\n", id, grid, c.block, r, w, slot,
                    mean(starts), percentile(starts, 5), percentile(starts, 95), slot_votes[slot],
                    starts.size());
      }
    }
    ++id;
  }
}

__global__ void note_cluster(uint32_t* smid, uint32_t* cluster) {
  const uint64_t begin = read_clock64();
  if (threadIdx.x == 0) {
    uint32_t id;
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    smid[blockIdx.x] = read_smid();
    cluster[blockIdx.x] = id;
  }
  while (read_clock64() - begin < 20000) {
  }
}

static int find_root(std::vector<int>& parent, int item) {
  while (parent[item] != item) {
    item = parent[item];
  }
  return item;
}

static void run_gpc(int sms) {
  uint32_t* smid = device_alloc<uint32_t>(4096);
  uint32_t* cluster = device_alloc<uint32_t>(4096);
  CHECK(cudaFuncSetAttribute(note_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(
      cudaFuncSetAttribute(note_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  std::vector<int> parent(sms);
  for (int s = 0; s < sms; ++s) {
    parent[s] = s;
  }
  std::vector<std::pair<int, int>> max_clusters;
  for (int size : {2, 4, 8, 16}) {
    for (int repeat = 0; repeat < 8; ++repeat) {
      cudaLaunchConfig_t launch_config = {};
      launch_config.gridDim = size * 96;
      launch_config.blockDim = 128;
      launch_config.dynamicSmemBytes = repeat % 2 == 0 ? 200 * 1024 : 0;
      cudaLaunchAttribute attribute;
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = size;
      attribute.val.clusterDim.y = 1;
      attribute.val.clusterDim.z = 1;
      launch_config.attrs = &attribute;
      launch_config.numAttrs = 1;
      if (repeat == 0) {
        int active = 0;
        CHECK(cudaOccupancyMaxActiveClusters(&active, note_cluster, &launch_config));
        max_clusters.push_back({size, active});
      }
      CHECK(cudaLaunchKernelEx(&launch_config, note_cluster, smid, cluster));
      CHECK(cudaDeviceSynchronize());
      const auto smids = to_host(smid, size * 96);
      const auto clusters = to_host(cluster, size * 96);
      std::vector<int> owner(size * 96, -1);
      for (int b = 0; b < size * 96; ++b) {
        const int c = int(clusters[b]);
        if (owner[c] < 0) {
          owner[c] = int(smids[b]);
        } else {
          parent[find_root(parent, int(smids[b]))] = find_root(parent, owner[c]);
        }
      }
    }
  }
  std::printf("kind,key,value\n");
  for (const auto& entry : max_clusters) {
    std::printf("max_active_clusters_1_block_per_sm,%d,%d\n", entry.first, entry.second);
  }
  for (int s = 0; s < sms; ++s) {
    std::printf("gpc_root_of_sm,%d,%d\n", s, find_root(parent, s));
  }
}

int main(int argc, char** argv) {
  const int sms = sm_count();
  const std::string part = argc > 1 ? argv[1] : "blocks";
  WarpStart* device_log = device_alloc<WarpStart>(static_cast<size_t>(sms) * 64);
  if (part == "blocks") {
    run_blocks(sms, device_log);
  } else if (part == "warps") {
    run_warps(sms, device_log);
  } else {
    run_gpc(sms);
  }
  return 0;
}
