// Global and shared atomics: rate against the number of distinct addresses, and latency. Every
// thread of 132 x 1024 threads does `rounds` atomics; `lanes` threads of each warp take part.
#include "common.cuh"

enum Kind { kRed, kAtom, kRedF32, kCas, kExch, kRed64, kAtomDep };

template <int kKind>
__device__ __forceinline__ uint32_t global_atomic(uint32_t* p, uint32_t value) {
  uint32_t old = 0;
  if (kKind == kRed) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
  } else if (kKind == kAtom || kKind == kAtomDep) {
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(value) : "memory");
  } else if (kKind == kRedF32) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p), "f"(__uint_as_float(value)) : "memory");
  } else if (kKind == kCas) {
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(p), "r"(value), "r"(value + 1)
                 : "memory");
  } else if (kKind == kExch) {
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(value) : "memory");
  } else {
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(p), "l"(uint64_t(value)) : "memory");
  }
  return old;
}

// Thread t uses address (t mod addresses), `spacing` words apart.
template <int kKind>
__global__ void __launch_bounds__(1024)
    rate(uint32_t* data, uint32_t addresses, uint32_t spacing, int lanes, int rounds, uint32_t one,
         unsigned long long* times, uint32_t* sink) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t participant = lanes == 32 ? thread : thread / 32;
  uint32_t* target = data + uint64_t(participant % addresses) * spacing;
  uint32_t sum = 0;
  const uint64_t start = read_globaltimer();
  if (int(threadIdx.x % 32) < lanes) {
#pragma unroll 4
    for (int i = 0; i < rounds; ++i) {
      sum += global_atomic<kKind>(target, kKind == kAtomDep ? one + (sum & 0) : one);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicMin(&times[0], static_cast<unsigned long long>(start));
    atomicMax(&times[1], static_cast<unsigned long long>(read_globaltimer()));
  }
  if (sum == 0x12345678) {
    sink[0] = sum;
  }
}

template <int kKind>
__global__ void latency(uint32_t* data, int rounds, uint32_t smid, uint32_t* out) {
  if (!claim_sm(smid, out + 1)) {
    return;
  }
  uint32_t value = 0;
  uint32_t before = 0;
  for (int i = 0; i < rounds + 1; ++i) {
    if (i == 1) {
      before = read_clock_after(value);
    }
    value = global_atomic<kKind>(data + (value >> 31), value & 1);
  }
  out[0] = read_clock_after(value) - before;
}

static uint32_t* data;
static unsigned long long* times;
static uint32_t* sink;

template <int kKind>
static void measure_rate(const char* name, uint32_t addresses, uint32_t spacing, int lanes,
                         int rounds, int blocks_per_sm = 1) {
  const int sms = sm_count();
  double best = 1e300;
  for (int repeat = 0; repeat < 2; ++repeat) {
    const unsigned long long initial[2] = {~0ull, 0};
    CHECK(cudaMemcpy(times, initial, sizeof(initial), cudaMemcpyHostToDevice));
    rate<kKind>
        <<<sms * blocks_per_sm, 1024>>>(data, addresses, spacing, lanes, rounds, 1, times, sink);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const auto t = to_host(times, 2);
    best = std::min(best, double(t[1] - t[0]));
  }
  int clock_khz = 0;
  CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
  const double operations = double(sms) * blocks_per_sm * 32.0 * lanes * rounds;
  const double cycles = best * clock_khz * 1e-6;
  std::printf("%s,%u,%u,%d,%d,%.0f,%.4f,%.4f\n", name, addresses, spacing * 4, lanes, rounds, best,
              operations / cycles, operations / lanes / cycles);
  std::fflush(stdout);
}

template <int kKind>
static void measure_latency(const char* name) {
  for (uint32_t smid : {0u, 61u, 131u}) {
    for (uint32_t offset : {0u, 1024u, 4096u * 33}) {
      CHECK(cudaMemset(sink, 0, 16));
      latency<kKind><<<sm_count() * 4, 32>>>(data + offset, 512, smid, sink);
      CHECK(cudaDeviceSynchronize());
      std::printf("latency_%s,sm%u,offset%u,,,,%.1f,\n", name, smid, offset,
                  to_host(sink, 1)[0] / 512.0);
    }
  }
}

int main() {
  data = device_alloc<uint32_t>(64u << 20);
  times = device_alloc<unsigned long long>(2);
  sink = device_alloc<uint32_t>(4);
  std::printf("op,addresses,spacing_bytes,lanes,rounds,ns,ops_per_cycle,warp_instr_per_cycle\n");
  measure_rate<kRed>("warm_up", 1024, 1, 32, 64);
  for (uint32_t addresses : {1u, 2u, 4u, 8u, 32u, 128u, 1024u, 8192u, 131072u}) {
    measure_rate<kRed>("red_add_u32", addresses, 1, 32, 64);
    measure_rate<kAtom>("atom_add_u32", addresses, 1, 32, 32);
    measure_rate<kRed>("red_add_u32", addresses, 1, 1, 64);
    measure_rate<kAtom>("atom_add_u32", addresses, 1, 1, 64);
  }
  for (uint32_t addresses : {1u, 2u, 4u, 8u, 32u, 128u, 1024u, 4096u}) {
    measure_rate<kRed>("red_add_u32", addresses, 8, 1, 64);
    measure_rate<kRed>("red_add_u32", addresses, 32, 1, 64);
    measure_rate<kRed>("red_add_u32", addresses, 1024, 1, 64);
    measure_rate<kAtom>("atom_add_u32", addresses, 32, 1, 64);
    measure_rate<kRed>("red_add_u32", addresses, 32, 32, 16);
  }
  for (uint32_t addresses : {1u, 32u, 1024u, 131072u}) {
    measure_rate<kRedF32>("red_add_f32", addresses, 1, 32, 32);
    measure_rate<kRed64>("red_add_u64", addresses, 2, 32, 32);
    measure_rate<kCas>("atom_cas_b32", addresses, 1, 32, 32);
    measure_rate<kExch>("atom_exch_b32", addresses, 1, 32, 32);
    measure_rate<kRedF32>("red_add_f32", addresses, 1, 1, 64);
    measure_rate<kCas>("atom_cas_b32", addresses, 1, 1, 64);
    measure_rate<kExch>("atom_exch_b32", addresses, 1, 1, 64);
  }
  measure_rate<kRed>("red_add_u32_2blocks", 1, 1, 1, 64, 2);
  measure_rate<kRed>("red_add_u32_2blocks", 131072, 1, 32, 64, 2);
  measure_latency<kAtom>("atom_add_u32");
  measure_latency<kCas>("atom_cas_b32");
  measure_latency<kExch>("atom_exch_b32");
  return 0;
}
