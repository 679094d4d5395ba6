// Unloaded latency: one thread follows pointers through a random cycle. Parts:
//   sizes  mean latency against footprint (one pointer every 128 bytes), from three SMs
//   pages  one pointer in each 2 MB page: what address translation adds
//   spread single-step latencies over 8 MB from several SMs: near and far L2 slices
#include <random>

#include "common.cuh"

__global__ void build(char* data, const uint32_t* next, uint32_t count, uint64_t stride,
                      uint64_t jitter) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    auto place = [&](uint32_t k) { return data + k * stride + (k * 2654435761u % 4096u) * jitter; };
    *reinterpret_cast<uint64_t*>(place(i)) = reinterpret_cast<uint64_t>(place(next[i]));
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

__device__ __forceinline__ uint64_t follow(uint64_t pointer) {
  uint64_t next;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(pointer));
  return next;
}

__global__ void chase(uint64_t start, int warm, int steps, uint32_t smid, uint32_t* flag,
                      uint64_t* out) {
  if (!claim_sm(smid, flag)) {
    return;
  }
  uint64_t pointer = start;
  for (int i = 0; i < warm; ++i) {
    pointer = follow(pointer);
  }
  const uint32_t before = read_clock_after(static_cast<uint32_t>(pointer));
  for (int i = 0; i < steps; i += 16) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      pointer = follow(pointer);
    }
  }
  const uint32_t after = read_clock_after(static_cast<uint32_t>(pointer));
  out[0] = after - before;
  out[1] = pointer;
}

constexpr int kSpread = 4096;

__global__ void chase_spread(uint64_t start, uint32_t smid, uint32_t* flag, uint16_t* out) {
  __shared__ uint16_t times[kSpread];
  if (!claim_sm(smid, flag)) {
    return;
  }
  uint64_t pointer = start;
  for (int i = 0; i < kSpread; ++i) {
    const uint32_t before = read_clock_after(static_cast<uint32_t>(pointer));
    pointer = follow(pointer);
    const uint32_t after = read_clock_after(static_cast<uint32_t>(pointer));
    times[i] = static_cast<uint16_t>(min(after - before, 65535u));
  }
  for (int i = 0; i < kSpread; ++i) {
    out[i] = times[i];
  }
}

static char* data;
static uint32_t* next_device;
static uint64_t* out_device;

static std::vector<uint32_t> random_cycle(uint32_t count) {
  std::vector<uint32_t> order(count);
  for (uint32_t i = 0; i < count; ++i) {
    order[i] = i;
  }
  std::mt19937 engine(1);
  for (uint32_t i = count - 1; i > 0; --i) {
    std::swap(order[i], order[engine() % i]);  // Sattolo: one single cycle
  }
  return order;
}

static void prepare(uint32_t count, uint64_t stride, uint64_t jitter) {
  const auto next = random_cycle(count);
  CHECK(cudaMemcpy(next_device, next.data(), count * 4ull, cudaMemcpyHostToDevice));
  build<<<(count + 255) / 256, 256>>>(data, next_device, count, stride, jitter);
  CHECK(cudaDeviceSynchronize());
}

static double run(int warm, int steps, uint32_t smid) {
  CHECK(cudaMemset(out_device, 0, 24));
  chase<<<sm_count() * 4, 32>>>(reinterpret_cast<uint64_t>(data), warm, steps, smid,
                                reinterpret_cast<uint32_t*>(out_device + 2), out_device);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return double(to_host(out_device, 2)[0]) / steps;
}

static void run_sizes() {
  std::printf("footprint_kb,smid,steps,cycles_per_load\n");
  for (uint64_t kb :
       {16,    32,    64,    128,   160,   192,    208,    224,    240,    256,    320,
        512,   1024,  2048,  4096,  8192,  16384,  20480,  24576,  28672,  32768,  40960,
        49152, 57344, 65536, 81920, 98304, 131072, 196608, 262144, 524288, 1048576}) {
    const uint32_t count = uint32_t(kb * 8);
    prepare(count, 128, 0);
    for (uint32_t smid : {0u, 61u, 131u}) {
      touch<<<sm_count() * 4, 256>>>(reinterpret_cast<const uint4*>(data), kb * 64, next_device);
      const int warm = std::min<uint32_t>(count, 6144);
      const int steps = 8192;
      std::printf("%llu,%u,%d,%.1f\n", static_cast<unsigned long long>(kb), smid, steps,
                  run(warm, steps, smid));
    }
  }
}

static void run_pages() {
  std::printf("pages_2mb,smid,steps,cycles_per_load\n");
  for (uint32_t pages :
       {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192}) {
    prepare(pages, 2ull << 20, 128);
    for (uint32_t smid : {0u, 131u}) {
      std::printf("%u,%u,%d,%.1f\n", pages, smid, 8192,
                  run(int(std::max(pages, 1024u)), 8192, smid));
    }
  }
}

static void run_spread() {
  std::printf("footprint_kb,smid,bin_cycles,count\n");
  uint16_t* times = device_alloc<uint16_t>(kSpread);
  for (uint64_t kb : {8192ull, 1048576ull}) {
    prepare(uint32_t(kb * 8), 128, 0);
    for (uint32_t smid : {0u, 1u, 30u, 61u, 100u, 131u}) {
      touch<<<sm_count() * 4, 256>>>(reinterpret_cast<const uint4*>(data), kb * 64, next_device);
      CHECK(cudaMemset(out_device, 0, 24));
      CHECK(cudaMemset(times, 0, kSpread * 2));
      chase_spread<<<sm_count() * 4, 32>>>(reinterpret_cast<uint64_t>(data), smid,
                                           reinterpret_cast<uint32_t*>(out_device + 2), times);
      CHECK(cudaDeviceSynchronize());
      const auto host = to_host(times, kSpread);
      std::vector<int> bins(256, 0);
      for (int i = 64; i < kSpread; ++i) {
        ++bins[std::min(host[i] / 8, 255)];
      }
      for (int b = 0; b < 256; ++b) {
        if (bins[b] > 0) {
          std::printf("%llu,%u,%d,%d\n", static_cast<unsigned long long>(kb), smid, b * 8, bins[b]);
        }
      }
    }
  }
}

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "sizes";
  data = device_alloc<char>((16ull << 30) + (4ull << 20));
  next_device = device_alloc<uint32_t>(8u << 20);
  out_device = device_alloc<uint64_t>(4);
  if (part == "sizes") {
    run_sizes();
  } else if (part == "pages") {
    run_pages();
  } else {
    run_spread();
  }
  return 0;
}
