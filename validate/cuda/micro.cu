// Launches that each isolate one parameter of the machine, for full profiles with Nsight Compute
// (elapsed cycles of the whole kernel). `micro` runs all of them; `micro NAME...` some;
// `micro --list` prints name, family and problem. Names end in wN for N warps per SM.
#include <cooperative_groups.h>

#include "common.cuh"
#include "profiled.cuh"

namespace cg = cooperative_groups;

constexpr int kSms = 132;
constexpr int kBody = 64;  // steps of one pass of a kernel on the pipes

// ---------------------------------------------------------------- pipes

enum Op {
  kFfma,
  kIadd3,
  kLop3,
  kImad,
  kDfma,
  kHfma2,
  kEx2,
  kPopc,
  kShfl,
  kLds,
  kLds128,
  kSts,
  kLdc,
  kSetpSel,
  kF2iI2f,
  kHmma,
  kFfmaThenLop3,
  kFfmaAndLop3,
  kBallot,
  kS2r,
  // Predicated off in every lane.
  kLdsOff,
  kStsOff,
  kLdgOff,
};

struct Operands {
  uint32_t off;  // 0
  const uint32_t* global;
  uint32_t b, c;
  float y, z;
  double v, w;
  uint32_t frag[6];
  uint32_t shared;
};

struct Stream {
  uint32_t a;
  float x;
  double u;
  float acc[4];
};

__constant__ uint32_t micro_table[1024];

template <int kOp>
__device__ __forceinline__ void step(Stream& s, const Operands& k) {
  if (kOp == kFfma) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(s.x) : "f"(k.y), "f"(k.z));
  } else if (kOp == kIadd3) {
    asm volatile("{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }"
                 : "+r"(s.a)
                 : "r"(k.b), "r"(k.c));
  } else if (kOp == kLop3) {
    asm volatile("lop3.b32 %0, %1, %0, %2, 0x6a;" : "+r"(s.a) : "r"(k.b), "r"(k.c));
  } else if (kOp == kImad) {
    asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(s.a) : "r"(k.b), "r"(k.c));
  } else if (kOp == kDfma) {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(s.u) : "d"(k.v), "d"(k.w));
  } else if (kOp == kHfma2) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(s.a) : "r"(k.b), "r"(k.c));
  } else if (kOp == kEx2) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(s.x));
  } else if (kOp == kPopc) {
    asm volatile("popc.b32 %0, %0;" : "+r"(s.a));
  } else if (kOp == kShfl) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(s.a));
  } else if (kOp == kLds) {
    asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(s.a));
  } else if (kOp == kLds128) {
    asm volatile("{ .reg .u32 t, v, w; ld.volatile.shared.v4.u32 {%0, t, v, w}, [%0]; }"
                 : "+r"(s.a));
  } else if (kOp == kSts) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(k.shared), "r"(s.a));
  } else if (kOp == kLdc) {
    s.a = *reinterpret_cast<const uint32_t*>(reinterpret_cast<const char*>(micro_table) + s.a);
  } else if (kOp == kSetpSel) {
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p; }"
                 : "+r"(s.a)
                 : "r"(k.b), "r"(k.c));
  } else if (kOp == kF2iI2f) {
    asm volatile("{ .reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t; }" : "+f"(s.x));
  } else if (kOp == kHmma) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(s.acc[0]), "+f"(s.acc[1]), "+f"(s.acc[2]), "+f"(s.acc[3])
        : "r"(k.frag[0]), "r"(k.frag[1]), "r"(k.frag[2]), "r"(k.frag[3]), "r"(k.frag[4]),
          "r"(k.frag[5]));
  } else if (kOp == kFfmaThenLop3) {
    asm volatile(
        "{ .reg .b32 t; fma.rn.f32 %0, %0, %1, %2; mov.b32 t, %0; lop3.b32 t, %3, t, %4, 0x6a; "
        "mov.b32 %0, t; }"
        : "+f"(s.x)
        : "f"(k.y), "f"(k.z), "r"(k.b), "r"(k.c));
  } else if (kOp == kFfmaAndLop3) {
    step<kFfma>(s, k);
    step<kLop3>(s, k);
  } else if (kOp == kS2r) {
    asm volatile("{ .reg .u32 t; mov.u32 t, %%laneid; add.u32 %0, %0, t; }" : "+r"(s.a));
  } else if (kOp == kLdsOff) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p ld.volatile.shared.u32 %0, [%2]; "
        "add.u32 %0, %0, %3; }"
        : "+r"(s.a)
        : "r"(k.off), "r"(k.shared), "r"(k.b));
  } else if (kOp == kStsOff) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.volatile.shared.u32 [%1], %2; }" ::"r"(k.off),
        "r"(k.shared), "r"(s.a));
  } else if (kOp == kLdgOff) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p ld.volatile.global.u32 %0, [%2]; "
        "add.u32 %0, %0, %3; }"
        : "+r"(s.a)
        : "r"(k.off), "l"(k.global), "r"(k.b));
  } else {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "+r"(s.a)
                 : "r"(k.b));
  }
}

// `zero` makes values that neither compiler knows. Each shared word holds its own address; a warp's
// lanes read words `ways` apart.
template <int kOp, int kStreams>
__global__ void __launch_bounds__(1024)
    micro_ops(int passes, uint32_t zero, int ways, uint32_t* out) {
  __shared__ __align__(16) uint32_t words[1024];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  const uint32_t lane = threadIdx.x % 32;
  constexpr bool kReadsShared = kOp == kLds || kOp == kLds128;
  if (kReadsShared) {
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
      words[i] = base + i * 4;
    }
    __syncthreads();
  }
  Operands k;
  k.off = zero;
  k.global = out;
  k.b = zero + 5 + lane;
  k.c = zero + 7 + 3 * lane;
  k.y = 0.999f + lane * zero;
  k.z = 0.001f + lane * zero;
  k.v = 0.999 + lane * zero;
  k.w = 0.001 + lane * zero;
  k.shared = base + threadIdx.x * 4;
  for (int i = 0; i < 6; ++i) {
    k.frag[i] = lane * zero;
  }
  Stream s[kStreams];
#pragma unroll
  for (int i = 0; i < kStreams; ++i) {
    s[i].a = kReadsShared  ? base + (lane * ways + i * zero) % 1024 * 4
             : kOp == kLdc ? zero * (lane + i)
                           : lane + i * (zero + 1);
    s[i].x = 1.0f + lane + i;
    s[i].u = 1.0 + lane + i;
    for (int j = 0; j < 4; ++j) {
      s[i].acc[j] = i + lane * zero;
    }
  }
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < kBody / kStreams; ++j) {
#pragma unroll
      for (int i = 0; i < kStreams; ++i) {
        step<kOp>(s[i], k);
      }
    }
  }
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kStreams; ++i) {
    sum ^= s[i].a ^ __float_as_uint(s[i].x) ^ __float_as_uint(s[i].acc[0]) ^
           static_cast<uint32_t>(__double_as_longlong(s[i].u));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ __forceinline__ void ffma(float& x, float y, float z) {
  asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z));
}

// Which bank a register is in, its parity says, and 128-bit accesses pin components to parities.
// The store in the loop is for that alone (`passes` never is negative), and the many operands leave
// too few registers to move the sums elsewhere. Operands change every time, so that the reuse cache
// does not help. With kSameBank, three of four FFMA read one bank three times, else none does.
template <int kSameBank>
__global__ void __launch_bounds__(1024) micro_ffma_bank(int passes, const float4* in, float4* out) {
  constexpr int kOperands = 10;
  float4 x[4];
  float4 m[kOperands];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    x[i] = in[i * 1024 + threadIdx.x];
  }
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {
    m[i] = in[(i + 4) * 1024 + threadIdx.x];
  }
  float4* mine = out + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 32; ++j) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float4& u = m[(2 * i + j) % kOperands];
        const float4& v = m[(2 * i + 3 * j + 1) % kOperands];
        if (kSameBank) {
          ffma(x[i].x, u.x, v.z);
          ffma(x[i].z, u.z, v.x);
        } else {
          ffma(x[i].x, u.y, v.z);
          ffma(x[i].z, u.w, v.x);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      asm volatile(
          "{ .reg .pred p; setp.lt.s32 p, %0, 0; @p st.global.v4.f32 [%1], {%2, %3, %4, %5}; }" ::
              "r"(passes),
          "l"(mine + i), "f"(x[i].x), "f"(x[i].y), "f"(x[i].z), "f"(x[i].w)
          : "memory");
    }
  }
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {  // keeps all components of the operands
    x[0].y += m[i].x + m[i].y;
    x[0].w += m[i].z + m[i].w;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    mine[i] = x[i];
  }
}

// ---------------------------------------------------------------- issue

// All lanes branch the same way; which way, the chain decides.
__global__ void micro_branchy(int passes, uint32_t zero, uint32_t* out) {
  uint32_t value = 12345 + zero * threadIdx.x;
  const uint32_t factor = 1664525 + zero * threadIdx.x;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      asm volatile("mad.lo.u32 %0, %0, %1, 1013904223;" : "+r"(value) : "r"(factor));
      if (value & 0x80000000u) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(value) : "r"(factor));
        }
      } else {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          asm volatile("lop3.b32 %0, %1, %0, %1, 0x6a;" : "+r"(value) : "r"(factor));
        }
      }
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void micro_divergent(int passes, uint32_t zero, uint32_t* out) {
  uint32_t value = 12345 + threadIdx.x;
  const uint32_t factor = 5 + zero * threadIdx.x;
  const uint32_t lane = threadIdx.x % 32;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      uint32_t upper;
      asm volatile("and.b32 %0, %1, 16;" : "=r"(upper) : "r"(lane));  // anew: or it leaves the loop
      if (upper) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(value) : "r"(factor));
        }
      } else {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          asm volatile("lop3.b32 %0, %1, %0, %1, 0x6a;" : "+r"(value) : "r"(factor));
        }
      }
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void micro_small_loop(int passes, float y, float* out) {
  float x = threadIdx.x;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    ffma(x, y, y);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

template <int kCount>
__global__ void micro_straight(int passes, float y, float* out) {
  float x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = threadIdx.x + i;
  }
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      ffma(x[i % 8], y, y);
    }
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += x[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---------------------------------------------------------------- sync

enum Barrier { kBlock, kPairs };

template <int kBarrier>
__global__ void __launch_bounds__(1024) micro_barrier(int passes, uint32_t* out) {
  const uint32_t id = 1 + threadIdx.x / 64;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      if (kBarrier == kBlock) {
        asm volatile("bar.sync 0;" ::: "memory");
      } else {
        asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory");
      }
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = id;
}

__global__ void micro_fence(int passes, uint32_t* data) {
  uint32_t* mine = data + (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(mine), "r"(pass) : "memory");
    __threadfence();
  }
}

__global__ void micro_grid_sync(int passes, uint32_t* out) {
  cg::grid_group grid = cg::this_grid();
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    grid.sync();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = passes;
}

__global__ void __cluster_dims__(4, 1, 1) micro_cluster_sync(int passes, uint32_t* out) {
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    cg::this_cluster().sync();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = passes;
}

__device__ __forceinline__ uint32_t cluster_address(uint32_t shared, uint32_t rank) {
  uint32_t address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared), "r"(rank));
  return address;
}

// Rank 0 reads words of rank 1, each of which holds its own cluster address.
__global__ void __cluster_dims__(4, 1, 1) micro_dsmem_chase(int passes, uint32_t* out) {
  __shared__ uint32_t words[32];
  cg::cluster_group cluster = cg::this_cluster();
  const uint32_t local = static_cast<uint32_t>(__cvta_generic_to_shared(words + threadIdx.x));
  words[threadIdx.x] = cluster_address(local, cluster.block_rank());
  cluster.sync();
  uint32_t address = cluster_address(local, 1);
  if (cluster.block_rank() == 0) {
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(address)::"memory");
      }
    }
  }
  cluster.sync();  // rank 1's shared memory stays until rank 0 is done
  out[blockIdx.x * blockDim.x + threadIdx.x] = address;
}

// ---------------------------------------------------------------- memory latency

// A permutation of [0, 2^bits).
__device__ __forceinline__ uint32_t shuffled(uint32_t i, int bits) {
  const uint32_t mask = (1u << bits) - 1;
  i ^= i >> (bits / 2 + 1);
  i = i * 0x9e3779b1u & mask;
  i ^= i >> (bits / 2);
  i = i * 0x85ebca6bu & mask;
  return i ^ i >> (bits / 2 + 1);
}

// One random cycle through 2^bits lines: the first word of each points to the next.
__global__ void build_chase(char* data, int bits) {
  const uint32_t lines = 1u << bits;
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lines) {
    char* here = data + uint64_t(shuffled(i, bits)) * 128;
    char* next = data + uint64_t(shuffled((i + 1) & (lines - 1), bits)) * 128;
    *reinterpret_cast<char**>(here) = next;
  }
}

enum Level { kL1, kL2, kDram };

template <int kLevel>
__device__ __forceinline__ uint64_t follow(uint64_t pointer) {
  uint64_t next;
  if (kLevel == kL2) {
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(pointer));
  } else {
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(pointer));
  }
  return next;
}

// Profilers empty the caches before a launch, so the lines are brought in first: to L1 by every
// block, to L2 by all blocks together.
template <int kLevel>
__global__ void micro_chase(int passes, const char* data, uint32_t lines, uint64_t* out) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t pointer = reinterpret_cast<uint64_t>(data) + blockIdx.x % lines * 128;
  if (kLevel == kDram) {
    pointer = reinterpret_cast<uint64_t>(data) + uint64_t(lines / gridDim.x) * blockIdx.x * 128;
  } else {
    uint64_t any = 0;
    const uint32_t first = kLevel == kL1 ? threadIdx.x : thread;
    const uint32_t stride = kLevel == kL1 ? blockDim.x : gridDim.x * blockDim.x;
#pragma unroll 4
    for (uint32_t i = first; i < lines; i += stride) {
      any |= follow<kLevel>(reinterpret_cast<uint64_t>(data) + uint64_t(i) * 128);
    }
    pointer += any == 1;  // never, but the chase waits
  }
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      pointer = follow<kLevel>(pointer);
    }
  }
  out[thread] = pointer;
}

// Each warp's next line depends on the last one (which holds zeros).
__global__ void __launch_bounds__(1024)
    micro_loaded(int passes, const uint32_t* zeros, uint32_t* out) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t stride = gridDim.x * blockDim.x;
  uint32_t index = thread;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      uint32_t value;
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(zeros + index));
      index += stride + value;
    }
  }
  out[thread] = index;
}

// ---------------------------------------------------------------- memory rate

template <int kVec, int kCg>
__device__ __forceinline__ uint4 load(const uint32_t* p) {
  uint4 value = {0, 0, 0, 0};
  if (kVec == 4 && kCg) {
    asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(p));
  } else if (kVec == 4) {
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(p));
  } else if (kCg) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value.x) : "l"(p));
  } else {
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value.x) : "l"(p));
  }
  return value;
}

__device__ __forceinline__ void store4(uint32_t* p, uint4 value) {
  asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(p), "r"(value.x), "r"(value.y),
               "r"(value.z), "r"(value.w)
               : "memory");
}

// Four accesses of all threads a pass. After `footprint` of them (a multiple of four accesses of
// all threads) it begins again.
struct Walk {
  uint32_t thread, stride, footprint, index;

  __device__ explicit Walk(uint32_t footprint_in)
      : thread(blockIdx.x * blockDim.x + threadIdx.x),
        stride(gridDim.x * blockDim.x),
        footprint(footprint_in),
        index(thread) {}

  __device__ __forceinline__ size_t at(int j) const { return index + j * stride; }

  __device__ __forceinline__ void advance() {
    index += 4 * stride;
    index = index >= footprint ? index - footprint : index;
  }
};

template <int kVec, int kCg>
__global__ void __launch_bounds__(1024)
    micro_read(int passes, const uint32_t* data, uint32_t footprint, uint32_t* out) {
  Walk walk(footprint);
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint4 value[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      value[j] = load<kVec, kCg>(data + walk.at(j) * kVec);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum ^= value[j].x ^ value[j].y ^ value[j].z ^ value[j].w;
    }
    walk.advance();
  }
  out[walk.thread] = sum;
}

__global__ void __launch_bounds__(1024) micro_write(int passes, uint32_t footprint, uint32_t* out) {
  Walk walk(footprint);
  const uint4 value = {1, 2, 3, walk.thread};
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      store4(out + walk.at(j) * 4, value);
    }
    walk.advance();
  }
}

// Reads kReads arrays of `footprint` each, writes one.
template <int kReads>
__global__ void __launch_bounds__(1024)
    micro_copy(int passes, const uint32_t* data, uint32_t footprint, uint32_t* out) {
  Walk walk(footprint);
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint4 value[4][kReads];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int r = 0; r < kReads; ++r) {
        value[j][r] = load<4, 0>(data + (walk.at(j) + size_t(footprint) * r) * 4);
      }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      uint4 sum = value[j][0];
#pragma unroll
      for (int r = 1; r < kReads; ++r) {
        sum.x ^= value[j][r].x;
        sum.y ^= value[j][r].y;
        sum.z ^= value[j][r].z;
        sum.w ^= value[j][r].w;
      }
      store4(out + walk.at(j) * 4, sum);
    }
    walk.advance();
  }
}

// Each SM reads its own 64 to 96 KB; lanes are `spacing` words apart.
__global__ void __launch_bounds__(1024)
    micro_l1_read(int passes, const uint32_t* data, uint32_t spacing, uint32_t* out) {
  uint32_t index = blockIdx.x * 32768 + (threadIdx.x * spacing & 8191);
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t value[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      value[j] = load<1, 0>(data + index + j * 1024).x;
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      sum ^= value[j];
    }
    index ^= 8192;  // or the loads leave the loop
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Eight lanes read one 32-byte sector; sectors are `spacing` words apart.
__global__ void micro_strided_read(int passes, const uint32_t* data, uint32_t spacing,
                                   uint32_t* out) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t stride = size_t(gridDim.x) * blockDim.x / 8 * spacing;
  const uint32_t* p = data + size_t(thread / 8) * spacing + thread % 8;
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t value[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      value[j] = load<1, 0>(p + j * stride).x;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum ^= value[j];
    }
    p += 4 * stride;
  }
  out[thread] = sum;
}

// Each lane reads random sectors of 2^(32 - shift).
template <int kCg>
__global__ void micro_gather(int passes, const uint32_t* data, int shift, uint32_t* out) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t random = (thread + 1) * 2654435761u;
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t value[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      random = random * 1664525u + 1013904223u;
      const uint32_t mixed = (random ^ random >> 15) * 0x85ebca6bu;
      value[j] = load<1, kCg>(data + size_t(mixed >> shift) * 8).x;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum ^= value[j];
    }
  }
  out[thread] = sum;
}

// Stores of kBytes (1 or 4), `spacing` bytes apart.
template <int kBytes>
__global__ void micro_store_partial(int passes, uint32_t spacing, char* data) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t stride = size_t(gridDim.x) * blockDim.x * spacing;
  char* p = data + size_t(thread) * spacing;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (kBytes == 1) {
        asm volatile("st.global.u8 [%0], %1;" ::"l"(p + j * stride), "r"(thread) : "memory");
      } else {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(p + j * stride), "r"(thread) : "memory");
      }
    }
    p += 4 * stride;
  }
}

// ---------------------------------------------------------------- atomics

// In inline assembly, lest the compiler combine the lanes of a warp. `mask` is the number of
// addresses less one.
__global__ void __launch_bounds__(1024) micro_red(int passes, uint32_t mask, uint32_t* data) {
  const uint32_t stride = gridDim.x * blockDim.x;
  uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(data + (index & mask)), "r"(passes)
                   : "memory");
      index += stride;
    }
  }
}

__global__ void __launch_bounds__(1024)
    micro_cas(int passes, uint32_t mask, uint32_t* data, uint32_t* out) {
  const uint32_t stride = gridDim.x * blockDim.x;
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t index = thread;
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t old[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                   : "=r"(old[j])
                   : "l"(data + (index & mask)), "r"(pass), "r"(pass + 1)
                   : "memory");
      index += stride;
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      sum ^= old[j];
    }
  }
  out[thread] = sum;
}

// Each warp adds to a line of its own; what it gets back is what it adds next.
__global__ void micro_atomic_chain(int passes, uint32_t* data, uint32_t* out) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t value = thread;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      asm volatile("atom.global.add.u32 %0, [%1], %0;"
                   : "+r"(value)
                   : "l"(data + thread)
                   : "memory");
    }
  }
  out[thread] = value;
}

__global__ void __launch_bounds__(1024) micro_shared_red(int passes, uint32_t mask, uint32_t* out) {
  __shared__ uint32_t words[1024];
  words[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t target =
      static_cast<uint32_t>(__cvta_generic_to_shared(words + (threadIdx.x & mask)));
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(target), "r"(passes) : "memory");
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}

// ---------------------------------------------------------------- launch

__global__ void micro_empty() {}

// About 500 cycles when alone.
__device__ __forceinline__ void short_work(float y, float* out) {
  float x = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 112; ++i) {
    ffma(x, y, y);
  }
  if (x == 12345.0f) {
    *out = x;
  }
}

__global__ void __launch_bounds__(1024) micro_short_block(float y, float* out) {
  short_work(y, out);
}

__global__ void __cluster_dims__(4, 1, 1) micro_short_cluster(float y, float* out) {
  short_work(y, out);
}

// ---------------------------------------------------------------- async

__device__ __forceinline__ void copy_async(uint32_t shared, const char* source) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;\n"
      "cp.async.commit_group;" ::"r"(shared),
      "l"(source)
      : "memory");
}

// kDepth copies in flight, 4 KB of a block each, from 32 KB of the block's own.
template <int kDepth>
__global__ void __launch_bounds__(256) micro_cp_async(int passes, const char* data, uint32_t* out) {
  __shared__ __align__(16) uint4 slots[kDepth][256];
  const char* source = data + size_t(blockIdx.x) * 32768 + threadIdx.x * 16;
  uint32_t shared[kDepth];
#pragma unroll
  for (int d = 0; d < kDepth; ++d) {
    shared[d] = static_cast<uint32_t>(__cvta_generic_to_shared(&slots[d][threadIdx.x]));
    copy_async(shared[d], source + d * 4096);
  }
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      asm volatile("cp.async.wait_group %0;" ::"n"(kDepth - 1) : "memory");
      uint32_t value;
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(shared[j % kDepth]));
      sum ^= value;
      copy_async(shared[j % kDepth], source + (j + kDepth) % 8 * 4096);
    }
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ __forceinline__ void wait_barrier(uint32_t barrier, uint32_t parity) {
  asm volatile(
      "{ .reg .pred p; \n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; \n"
      "@!p bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// One thread keeps four bulk copies of 4 KB in flight, from 32 KB of the block's own.
__global__ void micro_bulk_copy(int passes, const char* data, uint32_t* out) {
  constexpr int kDepth = 4;
  __shared__ __align__(128) char slots[kDepth][4096];
  __shared__ uint64_t barriers[kDepth];
  if (threadIdx.x == 0) {
    const uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(barriers));
    const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(slots));
    const char* source = data + size_t(blockIdx.x) * 32768;
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier + d * 8) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#pragma unroll 1
    for (int pass = 0; pass <= passes; ++pass) {
#pragma unroll
      for (int d = 0; d < kDepth; ++d) {
        if (pass > 0) {
          wait_barrier(barrier + d * 8, (pass - 1) & 1);
        }
        if (pass < passes) {
          asm volatile(
              "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(barrier + d * 8)
              : "memory");
          asm volatile(
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, "
              "[%2];" ::"r"(shared + d * 4096),
              "l"(source + (pass % 2 * kDepth + d) * 4096), "r"(barrier + d * 8)
              : "memory");
        }
      }
    }
    out[blockIdx.x] = *reinterpret_cast<volatile uint32_t*>(slots[0]);
  }
}

// ---------------------------------------------------------------- launches

constexpr int kFull = kSms * 8;              // blocks of 256 that fill the GPU
constexpr uint32_t kThreads = kFull * 256u;  // threads of these
constexpr int kRounds = 64;                  // of 16 bytes a thread: 264 MB
constexpr size_t kStreamBytes = size_t(kThreads) * 16 * kRounds;

struct Data {
  char* big;         // 1 GB, one random cycle of pointers
  char* medium;      // 8 MB, likewise
  char* small;       // 16 KB, likewise
  uint32_t* source;  // kStreamBytes of zeros
  uint32_t* sink;    // kStreamBytes
};

static Data data;

static void build(char** chase, int bits) {
  *chase = device_alloc<char>(size_t(128) << bits);
  build_chase<<<((1u << bits) + 255) / 256, 256>>>(*chase, bits);
  CHECK(cudaGetLastError());
}

static void prepare() {
  build(&data.big, 23);
  build(&data.medium, 16);
  build(&data.small, 7);
  data.source = device_alloc<uint32_t>(kStreamBytes / 4);
  data.sink = device_alloc<uint32_t>(kStreamBytes / 4);
  CHECK(cudaFuncSetAttribute(micro_short_block, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             200 * 1024));
  CHECK(cudaFuncSetAttribute(micro_l1_read, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxL1));
  CHECK(cudaDeviceSynchronize());
}

template <int kOp, int kStreams>
static void ops(int warps, int passes, int ways = 1) {
  micro_ops<kOp, kStreams><<<kSms, warps * 32>>>(passes, 0, ways, data.sink);
}

template <int kSameBank>
static void ffma_bank(int passes) {
  micro_ffma_bank<kSameBank><<<kSms, 1024>>>(passes, reinterpret_cast<float4*>(data.source),
                                             reinterpret_cast<float4*>(data.sink));
}

template <int kBarrier>
static void barrier(int blocks, int warps, int passes) {
  micro_barrier<kBarrier><<<blocks, warps * 32>>>(passes, data.sink);
}

template <int kLevel>
static void chase(const char* chain, int bits, int passes) {
  micro_chase<kLevel>
      <<<kSms, 32>>>(passes, chain, 1u << bits, reinterpret_cast<uint64_t*>(data.sink));
}

static void loaded(int warps) {
  const int blocks = warps > 32 ? 2 : 1;
  micro_loaded<<<kSms * blocks, warps / blocks * 32>>>(8, data.source, data.sink);
}

static void l1_read(uint32_t spacing, int passes) {
  micro_l1_read<<<kSms, 1024>>>(passes, reinterpret_cast<uint32_t*>(data.big), spacing, data.sink);
}

static void strided_read(uint32_t spacing) {
  micro_strided_read<<<kFull, 256>>>(31, reinterpret_cast<uint32_t*>(data.big), spacing, data.sink);
}

static void small_loop(int passes) {
  micro_small_loop<<<kSms, 32>>>(passes, 0.999f, reinterpret_cast<float*>(data.sink));
}

template <int kCount>
static void straight(int warps, int passes) {
  micro_straight<kCount><<<kSms, warps * 32>>>(passes, 0.999f, reinterpret_cast<float*>(data.sink));
}

static void short_blocks(int blocks, int threads, size_t shared = 0) {
  micro_short_block<<<blocks, threads, shared>>>(0.999f, reinterpret_cast<float*>(data.sink));
}

static std::vector<Launch> pipes() {
  const char* latency = "pipes_latency";
  const char* rate = "pipes_rate";
  return {
      {"micro_ffma_chain", latency, "dependent FFMA, 1 warp", [] { ops<kFfma, 1>(1, 400); }},
      {"micro_iadd3_chain", latency, "dependent IADD3, 1 warp", [] { ops<kIadd3, 1>(1, 400); }},
      {"micro_lop3_chain", latency, "dependent LOP3, 1 warp", [] { ops<kLop3, 1>(1, 400); }},
      {"micro_imad_chain", latency, "dependent IMAD, 1 warp", [] { ops<kImad, 1>(1, 400); }},
      {"micro_dfma_chain", latency, "dependent DFMA, 1 warp", [] { ops<kDfma, 1>(1, 200); }},
      {"micro_hfma2_chain", latency, "dependent HFMA2, 1 warp", [] { ops<kHfma2, 1>(1, 200); }},
      {"micro_ex2_chain", latency, "dependent MUFU.EX2, 1 warp", [] { ops<kEx2, 1>(1, 100); }},
      {"micro_popc_chain", latency, "dependent POPC, 1 warp", [] { ops<kPopc, 1>(1, 100); }},
      {"micro_shfl_chain", latency, "dependent SHFL, 1 warp", [] { ops<kShfl, 1>(1, 70); }},
      {"micro_lds_chain", latency, "dependent LDS, 1 warp", [] { ops<kLds, 1>(1, 70); }},
      {"micro_ldc_chain", latency, "dependent indexed LDC, 1 warp", [] { ops<kLdc, 1>(1, 60); }},
      {"micro_setp_sel_chain", latency, "ISETP then SEL, 1 warp", [] { ops<kSetpSel, 1>(1, 200); }},
      {"micro_f2i_i2f_chain", latency, "F2I then I2F, 1 warp", [] { ops<kF2iI2f, 1>(1, 70); }},
      {"micro_hmma_chain", latency, "dependent HMMA.16816.F32, 1 warp",
       [] { ops<kHmma, 1>(1, 64); }},
      {"micro_ffma_lop3_chain", latency, "FFMA then LOP3 on its result, 1 warp",
       [] { ops<kFfmaThenLop3, 1>(1, 200); }},

      {"micro_s2r_chain", latency, "S2R and an addition, 1 warp", [] { ops<kS2r, 1>(1, 60); }},
      {"micro_lds_off_chain", latency, "LDS predicated off, then its use, 1 warp",
       [] { ops<kLdsOff, 1>(1, 60); }, "micro_lds_chain"},
      {"micro_lds_off_w8", latency, "LDS predicated off, then its use, 8 warps",
       [] { ops<kLdsOff, 1>(8, 60); }, "micro_lds_off_chain"},
      {"micro_lds_off_w32", latency, "LDS predicated off, then its use, 32 warps",
       [] { ops<kLdsOff, 1>(32, 60); }, "micro_lds_off_chain"},
      {"micro_ldg_off_chain", latency, "LDG predicated off, then its use, 1 warp",
       [] { ops<kLdgOff, 1>(1, 60); }},
      {"micro_ldg_off_w32", latency, "LDG predicated off, then its use, 32 warps",
       [] { ops<kLdgOff, 1>(32, 40); }, "micro_ldg_off_chain"},
      {"micro_sts_off_w32", rate, "STS predicated off, 32 warps", [] { ops<kStsOff, 8>(32, 50); },
       "micro_sts_rate"},

      {"micro_ffma_rate", rate, "FFMA, 32 warps", [] { ops<kFfma, 8>(32, 200); }},
      {"micro_ffma_two_banks", rate, "FFMA, operands of both register banks, 32 warps",
       [] { ffma_bank<0>(48); }},
      {"micro_ffma_one_bank", rate, "FFMA, mostly three operands of one bank, 32 warps",
       [] { ffma_bank<1>(48); }, "micro_ffma_two_banks"},
      {"micro_iadd3_rate", rate, "IADD3, 32 warps", [] { ops<kIadd3, 8>(32, 100); }},
      {"micro_imad_rate", rate, "IMAD, 32 warps", [] { ops<kImad, 8>(32, 100); }},
      {"micro_ffma_lop3_rate", rate, "FFMA and LOP3 1:1, 32 warps",
       [] { ops<kFfmaAndLop3, 8>(32, 100); }},
      {"micro_dfma_rate", rate, "DFMA, 32 warps", [] { ops<kDfma, 8>(32, 100); }},
      {"micro_hfma2_rate", rate, "HFMA2, 32 warps", [] { ops<kHfma2, 8>(32, 200); }},
      {"micro_ex2_rate", rate, "MUFU.EX2, 32 warps", [] { ops<kEx2, 8>(32, 25); }},
      {"micro_popc_rate", rate, "POPC, 32 warps", [] { ops<kPopc, 8>(32, 25); }},
      {"micro_shfl_rate", rate, "SHFL, 32 warps", [] { ops<kShfl, 8>(32, 50); }},
      {"micro_hmma_rate", rate, "HMMA.16816.F32, 16 warps", [] { ops<kHmma, 4>(16, 64); }},
      {"micro_lds_rate", rate, "LDS.32, 32 warps", [] { ops<kLds, 8>(32, 50); }},
      {"micro_lds_2way", rate, "LDS.32, 2-way conflicts, 32 warps", [] { ops<kLds, 8>(32, 25, 2); },
       "micro_lds_rate"},
      {"micro_lds_8way", rate, "LDS.32, 8-way conflicts, 16 warps", [] { ops<kLds, 8>(16, 12, 8); },
       "micro_lds_rate"},
      {"micro_lds_32way", rate, "LDS.32, 32-way conflicts, 16 warps",
       [] { ops<kLds, 8>(16, 4, 32); }, "micro_lds_rate"},
      {"micro_lds128_rate", rate, "LDS.128, 32 warps", [] { ops<kLds128, 8>(32, 12, 4); }},
      {"micro_sts_rate", rate, "STS.32, 32 warps", [] { ops<kSts, 8>(32, 50); }},
      {"micro_ldc_rate", rate, "indexed LDC, 32 warps", [] { ops<kLdc, 8>(32, 25); }},
  };
}

static std::vector<Launch> issue() {
  return {
      {"micro_ffma_ilp2_w1", "issue", "FFMA, 2 chains, 1 warp", [] { ops<kFfma, 2>(1, 800); },
       "micro_ffma_chain"},
      {"micro_ffma_ilp4_w1", "issue", "FFMA, 4 chains, 1 warp", [] { ops<kFfma, 4>(1, 1600); },
       "micro_ffma_chain"},
      {"micro_ffma_ilp1_w4", "issue", "FFMA, 1 chain, 4 warps", [] { ops<kFfma, 1>(4, 400); },
       "micro_ffma_chain"},
      {"micro_ffma_ilp1_w8", "issue", "FFMA, 1 chain, 8 warps", [] { ops<kFfma, 1>(8, 400); },
       "micro_ffma_chain"},
      {"micro_ffma_ilp2_w8", "issue", "FFMA, 2 chains, 8 warps", [] { ops<kFfma, 2>(8, 800); },
       "micro_ffma_ilp1_w8"},
      {"micro_branchy", "issue", "data-dependent uniform branches, 1 warp",
       [] { micro_branchy<<<kSms, 32>>>(256, 0, data.sink); }},
      {"micro_divergent", "issue", "half of the lanes each way, 1 warp",
       [] { micro_divergent<<<kSms, 32>>>(128, 0, data.sink); }},
      {"micro_small_loop_w1", "issue", "loop of one FFMA, 1 warp", [] { small_loop(4096); }},
      {"micro_straight_96k_w1", "issue", "96 KB of code looped, 1 warp",
       [] { straight<6144>(1, 8); }},
      {"micro_straight_96k_w8", "issue", "96 KB of code looped, 8 warps",
       [] { straight<6144>(8, 8); }, "micro_straight_96k_w1"},
  };
}

static std::vector<Launch> synchronisation() {
  return {
      {"micro_syncthreads_w2", "sync", "__syncthreads, 1 block of 2 warps",
       [] { barrier<kBlock>(kSms, 2, 200); }},
      {"micro_syncthreads_w8", "sync", "__syncthreads, 1 block of 8 warps",
       [] { barrier<kBlock>(kSms, 8, 120); }, "micro_syncthreads_w2"},
      {"micro_syncthreads_w32", "sync", "__syncthreads, 1 block of 32 warps",
       [] { barrier<kBlock>(kSms, 32, 44); }, "micro_syncthreads_w2"},
      {"micro_syncthreads_4x8", "sync", "__syncthreads, 4 blocks of 8 warps",
       [] { barrier<kBlock>(kSms * 4, 8, 100); }, "micro_syncthreads_w8"},
      {"micro_named_pairs", "sync", "a named barrier for each pair of 8 warps",
       [] { barrier<kPairs>(kSms, 8, 100); }},
      {"micro_ballot_chain", "sync", "dependent ISETP and ballot, 1 warp",
       [] { ops<kBallot, 1>(1, 100); }},
      {"micro_fence", "sync", "store then __threadfence, 1 warp",
       [] { micro_fence<<<kSms, 32>>>(200, data.sink); }},
      {"micro_grid_sync", "sync", "24 grid barriers, 132 blocks of 256, cooperative",
       [] {
         int passes = 24;
         void* arguments[] = {&passes, &data.sink};
         CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(micro_grid_sync), dim3(kSms),
                                           dim3(256), arguments, 0, 0));
       }},
      {"micro_cluster_sync", "sync", "cluster barrier, 16 clusters of 4 blocks of 256",
       [] { micro_cluster_sync<<<64, 256>>>(256, data.sink); }},
      {"micro_dsmem_chase", "sync", "dependent loads of another block's shared memory, 1 warp",
       [] { micro_dsmem_chase<<<64, 32>>>(32, data.sink); }},
  };
}

static std::vector<Launch> memory_latency() {
  const char* family = "memory_latency";
  return {
      {"micro_chase_l1", family, "16 KB, one address a warp, 1 warp",
       [] { chase<kL1>(data.small, 7, 256); }},
      {"micro_chase_l2", family, "8 MB of all SMs, one address a warp, 1 warp",
       [] { chase<kL2>(data.medium, 16, 25); }},
      {"micro_chase_dram", family, "1 GB random, one address a warp, 1 warp",
       [] { chase<kDram>(data.big, 23, 12); }},
      {"micro_loaded_w1", family, "dependent coalesced loads from DRAM, 1 warp", [] { loaded(1); }},
      {"micro_loaded_w4", family, "dependent coalesced loads from DRAM, 4 warps", [] { loaded(4); },
       "micro_loaded_w1"},
      {"micro_loaded_w16", family, "dependent coalesced loads from DRAM, 16 warps",
       [] { loaded(16); }, "micro_loaded_w1"},
      {"micro_loaded_w64", family, "dependent coalesced loads from DRAM, 64 warps",
       [] { loaded(64); }, "micro_loaded_w1"},
  };
}

static std::vector<Launch> memory_rate() {
  const char* family = "memory_rate";
  constexpr uint32_t kAll = kThreads * kRounds;
  constexpr uint32_t kL2Part = kThreads * 4;  // 16.5 MB
  return {
      {"micro_read_float4", family, "264 MB of DRAM, 16 bytes a lane",
       [] { micro_read<4, 0><<<kFull, 256>>>(kRounds / 4, data.source, kAll, data.sink); }},
      {"micro_read_float", family, "264 MB of DRAM, 4 bytes a lane",
       [] { micro_read<1, 0><<<kFull, 256>>>(kRounds, data.source, kAll * 4, data.sink); },
       "micro_read_float4"},
      {"micro_read_one_sm", family, "8 MB of DRAM, 16 bytes a lane, one block of 1024",
       [] { micro_read<4, 0><<<1, 1024>>>(128, data.source, 128 * 4096, data.sink); }},
      {"micro_write", family, "264 MB, 16 bytes a lane",
       [] { micro_write<<<kFull, 256>>>(kRounds / 4, kAll, data.sink); }},
      {"micro_copy", family, "132 MB read, 132 MB written",
       [] { micro_copy<1><<<kFull, 256>>>(kRounds / 8, data.source, kAll / 2, data.sink); }},
      {"micro_read3_write1", family, "198 MB read, 66 MB written",
       [] { micro_copy<3><<<kFull / 2, 256>>>(kRounds / 8, data.source, kAll / 4, data.sink); }},
      {"micro_l2_read", family, "16.5 MB read 16 times past L1, 16 bytes a lane",
       [] { micro_read<4, 1><<<kFull, 256>>>(16, data.source, kL2Part, data.sink); }},
      {"micro_l2_write", family, "16.5 MB written 16 times, 16 bytes a lane",
       [] { micro_write<<<kFull, 256>>>(16, kL2Part, data.sink); }, "micro_write"},
      {"micro_l1_read", family, "64 KB of each SM, lanes 1 word apart, 32 warps",
       [] { l1_read(1, 400); }},
      {"micro_l1_read_stride2", family, "68 KB of each SM, lanes 2 words apart, 32 warps",
       [] { l1_read(2, 200); }, "micro_l1_read"},
      {"micro_l1_read_stride8", family, "92 KB of each SM, lanes 8 words apart, 32 warps",
       [] { l1_read(8, 50); }, "micro_l1_read"},
      {"micro_l1_read_stride32", family, "92 KB of each SM, lanes 32 words apart, 32 warps",
       [] { l1_read(32, 16); }, "micro_l1_read"},
      {"micro_read_every_other_sector", family, "128 MB in 256 MB of DRAM, 4 bytes a lane",
       [] { strided_read(16); }, "micro_read_float"},
      {"micro_read_one_sector_a_line", family, "128 MB in 512 MB of DRAM, 4 bytes a lane",
       [] { strided_read(32); }, "micro_read_float"},
      {"micro_gather_dram", family, "2^22 random sectors of 1 GB",
       [] {
         micro_gather<0>
             <<<kFull, 256>>>(4, reinterpret_cast<uint32_t*>(data.big), 32 - 25, data.sink);
       }},
      {"micro_gather_l2", family, "2^24 random sectors of 8 MB, past L1",
       [] {
         micro_gather<1>
             <<<kFull, 256>>>(16, reinterpret_cast<uint32_t*>(data.medium), 32 - 18, data.sink);
       }},
      {"micro_store_word_a_sector", family, "2^23 sectors, one word of each",
       [] { micro_store_partial<4><<<kFull, 256>>>(8, 32, reinterpret_cast<char*>(data.sink)); }},
      {"micro_store_every_other_byte", family, "every other byte of 128 MB",
       [] { micro_store_partial<1><<<kFull, 256>>>(62, 2, reinterpret_cast<char*>(data.sink)); }},
  };
}

static std::vector<Launch> atomics() {
  return {
      {"micro_red_one", "atomics", "RED of 132 blocks of 128 to one address",
       [] { micro_red<<<kSms, 128>>>(1, 0, data.sink); }},
      {"micro_red_line", "atomics", "RED of 132 blocks of 256 to the words of one line",
       [] { micro_red<<<kSms, 256>>>(4, 31, data.sink); }},
      {"micro_red_spread", "atomics", "coalesced RED of 132 blocks of 1024 over 8 MB",
       [] { micro_red<<<kSms, 1024>>>(32, (1u << 21) - 1, data.sink); }},
      {"micro_cas_spread", "atomics", "coalesced CAS of 132 blocks of 1024 over 8 MB",
       [] { micro_cas<<<kSms, 1024>>>(16, (1u << 21) - 1, data.sink, data.sink + (1u << 21)); }},
      {"micro_atomic_chain", "atomics", "dependent atomicAdd, a line for each warp, 1 warp",
       [] { micro_atomic_chain<<<kSms, 32>>>(20, data.sink, data.sink + 8192); }},
      {"micro_shared_red_own", "atomics", "shared RED, an address for each thread, 32 warps",
       [] { micro_shared_red<<<kSms, 1024>>>(100, 1023, data.sink); }},
      {"micro_shared_red_one", "atomics", "shared RED, one address, 32 warps",
       [] { micro_shared_red<<<kSms, 1024>>>(4, 0, data.sink); }, "micro_shared_red_own"},
      {"micro_shared_red_8", "atomics", "shared RED, 8 addresses, 32 warps",
       [] { micro_shared_red<<<kSms, 1024>>>(25, 7, data.sink); }, "micro_shared_red_own"},
  };
}

static std::vector<Launch> launching() {
  return {
      {"micro_empty_1", "launch", "empty kernel, 1 block of 32", [] { micro_empty<<<1, 32>>>(); }},
      {"micro_empty_132", "launch", "empty kernel, 132 blocks of 32",
       [] { micro_empty<<<kSms, 32>>>(); }, "micro_empty_1"},
      {"micro_empty_4224", "launch", "empty kernel, 132*32 blocks of 32",
       [] { micro_empty<<<kSms * 32, 32>>>(); }, "micro_empty_132"},
      {"micro_empty_8448_b256", "launch", "empty kernel, 132*64 blocks of 256",
       [] { micro_empty<<<kSms * 64, 256>>>(); }},
      {"micro_short_b64", "launch", "16,384 short blocks of 64", [] { short_blocks(16384, 64); }},
      {"micro_short_b256", "launch", "16,384 short blocks of 256", [] { short_blocks(16384, 256); },
       "micro_short_b64"},
      {"micro_short_b1024", "launch", "16,384 short blocks of 1024",
       [] { short_blocks(16384, 1024); }, "micro_short_b64"},
      {"micro_short_cluster4", "launch", "4096 clusters of 4 short blocks of 256",
       [] { micro_short_cluster<<<16384, 256>>>(0.999f, reinterpret_cast<float*>(data.sink)); },
       "micro_short_b256"},
      {"micro_short_big_shared", "launch", "132*48 short blocks of 256, one an SM by shared memory",
       [] { short_blocks(kSms * 48, 256, 200 * 1024); }, "micro_short_b256"},
  };
}

static std::vector<Launch> async() {
  return {
      {"micro_cp_async", "async", "cp.async from L2, 2 stages of 4 KB, 8 warps",
       [] {
         micro_cp_async<2><<<kSms, 256>>>(64, reinterpret_cast<char*>(data.source), data.sink);
       }},
      {"micro_bulk_copy", "async", "cp.async.bulk from L2, 4 stages of 4 KB, 1 warp",
       [] { micro_bulk_copy<<<kSms, 32>>>(200, reinterpret_cast<char*>(data.source), data.sink); }},
  };
}

int main(int argc, char** argv) {
  std::vector<Launch> all;
  for (auto group :
       {pipes, issue, synchronisation, memory_latency, memory_rate, atomics, launching, async}) {
    const auto part = group();
    all.insert(all.end(), part.begin(), part.end());
  }
  return profile_launches(argc, argv, all, prepare);
}
