// Depth of the memory instruction queue (the experiment of Huerta et al., Table 1): the cycle at
// which the n-th of n back-to-back independent instructions has issued, with 1 to 4 sub-partitions
// active. Column n is (stamp after n instructions - stamp before them); column 0 is the stamps
// alone.
#include "common.cuh"

constexpr int kMaxOps = 20;

enum Kind { kLds, kLds128, kLdg, kLdg128, kShfl, kMufu, kSts, kStg, kPopc, kLdc, kAtoms, kFfma };

template <int kKind>
__device__ __forceinline__ void issue(uint32_t (&r)[4 * kMaxOps], int j, uint32_t shared,
                                      uint64_t global, uint32_t index) {
  if (kKind == kLds) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[j]) : "r"(shared + j * 128));
  } else if (kKind == kLds128) {
    asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[4 * j]), "=r"(r[4 * j + 1]), "=r"(r[4 * j + 2]), "=r"(r[4 * j + 3])
                 : "r"(shared * 4 + j * 512));
  } else if (kKind == kLdg) {
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(r[j]) : "l"(global + j * 128));
  } else if (kKind == kLdg128) {
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[4 * j]), "=r"(r[4 * j + 1]), "=r"(r[4 * j + 2]), "=r"(r[4 * j + 3])
                 : "l"(global + j * 512));
  } else if (kKind == kShfl) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(r[j]));
  } else if (kKind == kMufu) {
    asm volatile("{ .reg .f32 t; mov.b32 t, %0; ex2.approx.ftz.f32 t, t; mov.b32 %0, t; }"
                 : "+r"(r[j]));
  } else if (kKind == kSts) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared + j * 128), "r"(shared));
  } else if (kKind == kStg) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(global + j * 128), "r"(shared) : "memory");
  } else if (kKind == kPopc) {
    asm volatile("popc.b32 %0, %0;" : "+r"(r[j]));
  } else if (kKind == kLdc) {
    asm volatile("ld.const.u32 %0, [%0];" : "+r"(r[j]));
  } else if (kKind == kAtoms) {
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(shared + j * 128), "r"(index) : "memory");
  } else {
    asm volatile("{ .reg .f32 t; mov.b32 t, %0; fma.rn.f32 t, t, t, t; mov.b32 %0, t; }"
                 : "+r"(r[j]));
  }
}

__constant__ uint32_t constant_table[256];

template <int kKind, int kCount>
__global__ void queue(uint32_t zero, char* data, uint32_t* out, uint32_t* sink) {
  __shared__ __align__(16) uint32_t words[16384 / 4 * 3];
  for (int i = threadIdx.x; i < 16384 / 4 * 3; i += blockDim.x) {
    words[i] = 0;
  }
  // Addresses are ready-made registers, so that nothing but the instructions is between the stamps.
  const uint32_t shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * 4 + zero;
  const bool wide = kKind == kLdg128;
  const uint64_t global = reinterpret_cast<uint64_t>(data) + threadIdx.x / 32 * 16384 +
                          threadIdx.x % 32 * (wide ? 16 : 4);
  const uint32_t index = zero * threadIdx.x;
  uint32_t r[4 * kMaxOps];
#pragma unroll
  for (int i = 0; i < 4 * kMaxOps; ++i) {
    r[i] = kKind == kLdc ? index : index + i * zero;
  }
  uint32_t sum = 0;
  uint32_t elapsed = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass) {
    __syncthreads();
    const uint32_t before = read_clock();
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
      issue<kKind>(r, j, shared, global, index);
    }
    const uint32_t after = read_clock();
    elapsed = after - before;
#pragma unroll
    for (int i = 0; i < 4 * kMaxOps; ++i) {
      sum += r[i];
    }
  }
  if (threadIdx.x % 32 == 0) {
    out[threadIdx.x / 32] = elapsed;
  }
  sink[threadIdx.x] = sum;
}

static char* data;
static uint32_t* out;
static uint32_t* sink;

// With a cubin whose stall counts were patched (patch_stalls.py), its kernels run in place of our
// own.
static cudaLibrary_t patched = nullptr;

template <int kKind, int kCount>
static void measure(std::vector<std::vector<uint32_t>>& table, int warps) {
  if (patched != nullptr) {
    char name[64];
    std::snprintf(name, sizeof(name), "_Z5queueILi%dELi%dEEvjPcPjS1_", kKind, kCount);
    cudaKernel_t kernel;
    CHECK(cudaLibraryGetKernel(&kernel, patched, name));
    uint32_t zero = 0;
    void* arguments[] = {&zero, &data, &out, &sink};
    CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(warps * 32),
                           arguments, 0, 0));
  } else {
    queue<kKind, kCount><<<1, warps * 32>>>(0, data, out, sink);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const auto values = to_host(out, warps);
  for (int w = 0; w < warps; ++w) {
    table[w].push_back(values[w]);
  }
}

template <int kKind, int... kCounts>
static void report(const char* name, std::integer_sequence<int, kCounts...>) {
  for (int warps : {1, 2, 3, 4, 8}) {
    std::vector<std::vector<uint32_t>> table(warps);
    (measure<kKind, kCounts>(table, warps), ...);
    for (int w = 0; w < warps; ++w) {
      std::printf("%s,%d,%d", name, warps, w);
      for (uint32_t value : table[w]) {
        std::printf(",%u", value);
      }
      std::printf("\n");
    }
  }
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  data = device_alloc<char>(1 << 20);
  out = device_alloc<uint32_t>(32);
  sink = device_alloc<uint32_t>(1024);
  if (argc > 1) {
    CHECK(cudaLibraryLoadFromFile(&patched, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  const auto counts = std::make_integer_sequence<int, 17>{};
  std::printf("op,warps,warp");
  for (int n = 0; n <= 16; ++n) {
    std::printf(",n%d", n);
  }
  std::printf("\n");
  report<kLds>("lds", counts);
  report<kLds128>("lds128", counts);
  report<kLdg>("ldg", counts);
  report<kLdg128>("ldg128", counts);
  report<kShfl>("shfl", counts);
  report<kMufu>("mufu", counts);
  report<kSts>("sts", counts);
  report<kStg>("stg", counts);
  report<kPopc>("popc", counts);
  report<kLdc>("ldc", counts);
  report<kAtoms>("red_shared", counts);
  report<kFfma>("ffma", counts);
  return 0;
}
