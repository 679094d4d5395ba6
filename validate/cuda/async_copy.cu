// Asynchronous copies and mbarriers: latency of cp.async (LDGSTS) and of bulk copies
// (cp.async.bulk) from L2 or DRAM to shared memory, bytes per cycle of one SM, and the cost of
// mbarrier operations.
#include "common.cuh"

__device__ __forceinline__ void mbarrier_init(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, uint32_t parity) {
  asm volatile(
      "{ .reg .pred p; \n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; \n"
      "@!p bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

__global__ void cp_async_latency(const char* data, uint64_t stride, int rounds, uint32_t* out) {
  __shared__ __align__(16) char buffer[512];
  const uint32_t shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(buffer)) + threadIdx.x * 16;
  const char* source = data + threadIdx.x * 16;
  const uint64_t before = read_clock64();
  for (int i = 0; i < rounds; ++i) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(source) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    source += stride;
  }
  const uint64_t after = read_clock64();
  if (threadIdx.x == 0) {
    out[0] = static_cast<uint32_t>(after - before);
  }
}

// One thread keeps kDepth bulk copies of `bytes` in flight.
template <int kDepth>
__global__ void bulk_copy(const char* data, uint64_t stride, uint32_t bytes, int rounds,
                          uint64_t* out) {
  extern __shared__ __align__(128) char buffer[];
  __shared__ uint64_t barriers[kDepth];
  if (threadIdx.x != 0) {
    return;
  }
  const uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(barriers));
  for (int d = 0; d < kDepth; ++d) {
    mbarrier_init(barrier + d * 8, 1);
  }
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(buffer));
  const char* source = data + uint64_t(blockIdx.x) * stride * rounds;
  const uint64_t before = read_clock64();
#pragma unroll 1
  for (int i = 0; i <= rounds; i += kDepth) {
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      if (i > 0) {
        mbarrier_wait(barrier + d * 8, (i / kDepth - 1) & 1);
      }
      if (i < rounds) {
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier + d * 8),
            "r"(bytes)
            : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(shared + d * bytes),
            "l"(source), "r"(bytes), "r"(barrier + d * 8)
            : "memory");
        source += stride;
      }
    }
  }
  out[blockIdx.x] = read_clock64() - before;
}

enum Kind { kArrive, kArriveWait, kTestWait };

template <int kKind>
__global__ void mbarrier_cost(int rounds, uint32_t* out) {
  __shared__ uint64_t word;
  const uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&word));
  if (threadIdx.x == 0) {
    mbarrier_init(barrier, kKind == kArriveWait ? blockDim.x : 1000000);
  }
  __syncthreads();
  const uint64_t before = read_clock64();
  for (int i = 0; i < rounds; ++i) {
    if (kKind != kTestWait) {
      asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(barrier)
                   : "memory");
    }
    if (kKind == kArriveWait) {
      mbarrier_wait(barrier, i & 1);
    }
    if (kKind == kTestWait) {
      uint32_t done;
      asm volatile(
          "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 1; selp.u32 %0, 1, "
          "0, "
          "p; }"
          : "=r"(done)
          : "r"(barrier)
          : "memory");
      if (done == 2) {
        break;
      }
    }
  }
  const uint64_t after = read_clock64();
  if (threadIdx.x == 0) {
    out[0] = static_cast<uint32_t>(after - before);
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

template <int kDepth>
static void report_bulk(const char* level, uint32_t bytes, char* data, uint32_t* out,
                        uint64_t* out64) {
  const int sms = sm_count();
  CHECK(cudaFuncSetAttribute(bulk_copy<kDepth>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             200 * 1024));
  for (int blocks : {1, sms}) {
    const bool l2 = level[0] == 'l';
    const int rounds = 64;
    const uint64_t stride = l2 ? (blocks == 1 ? 65536 : 512) : 65536;
    // For DRAM, drive what earlier launches read out of L2; for L2, bring the data in.
    touch<<<sms * 4, 256>>>(reinterpret_cast<const uint4*>(l2 ? data : data + (3ull << 30)),
                            (l2 ? 8 << 20 : 256 << 20) / 16, out);
    const char* source = l2 ? data : data + (64ull << 20);
    bulk_copy<kDepth><<<blocks, 32, 130 * 1024>>>(source, stride, bytes, rounds, out64);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const auto host = to_host(out64, blocks);
    std::vector<double> values(host.begin(), host.end());
    const double cycles = percentile(values, 50) / rounds;
    std::printf("bulk_%s,%u,%d,%d,%.1f,%.2f\n", level, bytes, kDepth, blocks, cycles,
                bytes / cycles);
  }
}

int main() {
  const int sms = sm_count();
  const uint64_t total = 4ull << 30;
  char* data = device_alloc<char>(total);
  uint32_t* out = device_alloc<uint32_t>(16);
  uint64_t* out64 = device_alloc<uint64_t>(256);
  std::printf("kind,bytes,depth,blocks,cycles_each,bytes_per_cycle_per_sm\n");
  for (const char* level : {"dram", "l2"}) {
    const int rounds = 512;
    if (level[0] == 'l') {
      touch<<<sms * 4, 256>>>(reinterpret_cast<const uint4*>(data), (8 << 20) / 16, out);
    }
    cp_async_latency<<<1, 32>>>(data + (level[0] == 'd' ? (1ull << 30) : 0), 8192 + 512, rounds,
                                out);
    CHECK(cudaDeviceSynchronize());
    std::printf("cp_async_%s,512,1,1,%.1f,\n", level, to_host(out, 1)[0] / double(rounds));
  }
  for (const char* level : {"dram", "l2"}) {
    for (uint32_t bytes : {128u, 512u, 1024u, 4096u, 16384u}) {
      report_bulk<1>(level, bytes, data, out, out64);
      report_bulk<4>(level, bytes, data, out, out64);
      report_bulk<8>(level, bytes, data, out, out64);
    }
  }
  for (int block : {32, 128, 1024}) {
    const int rounds = 256;
    mbarrier_cost<kArrive><<<1, block>>>(rounds, out);
    CHECK(cudaDeviceSynchronize());
    std::printf("mbarrier_arrive,%d,1,1,%.1f,\n", block, to_host(out, 1)[0] / double(rounds));
    mbarrier_cost<kArriveWait><<<1, block>>>(rounds, out);
    CHECK(cudaDeviceSynchronize());
    std::printf("mbarrier_arrive_wait,%d,1,1,%.1f,\n", block, to_host(out, 1)[0] / double(rounds));
    mbarrier_cost<kTestWait><<<1, block>>>(rounds, out);
    CHECK(cudaDeviceSynchronize());
    std::printf("mbarrier_test_wait,%d,1,1,%.1f,\n", block, to_host(out, 1)[0] / double(rounds));
  }
  return 0;
}
