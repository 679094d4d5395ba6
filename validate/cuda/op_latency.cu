// Latency and issue interval of single operations.
//   chain  each instruction needs the result of the one before; cycles per instruction, by warps
//   per SM ilp    eight independent chains per warp; cycles per warp instruction of one
//   sub-partition
// An operation that has to be a pair (F2I then I2F, ISETP then a predicated add) is counted as one.
#include <cuda_fp16.h>

#include "common.cuh"

struct State {
  uint32_t a, b, c, d;
  float x, y, z;
  double u, v, w;
  uint64_t p, q;
  uint32_t h;
  float acc[4];
  uint32_t frag[6];
  uint32_t shared;
  uint64_t global;
  uint64_t store;
  uint32_t index;
};

__constant__ uint32_t constant_table[1024];

namespace ops {

#define OP(name, text, ...)                                                                   \
  struct name {                                                                               \
    static constexpr const char* kName = #name;                                               \
    static __device__ __forceinline__ void step(State& s) { asm volatile(text __VA_ARGS__); } \
  };

OP(ffma, "fma.rn.f32 %0, %0, %1, %2;", : "+f"(s.x) : "f"(s.y), "f"(s.z))
OP(fadd, "add.rn.f32 %0, %0, %1;", : "+f"(s.x) : "f"(s.y))
OP(fmul, "mul.rn.f32 %0, %0, %1;", : "+f"(s.x) : "f"(s.y))
OP(imad, "mad.lo.u32 %0, %0, %1, %2;", : "+r"(s.a) : "r"(s.b), "r"(s.c))
OP(imad_wide, "mad.wide.u32 %0, %1, %2, %0;", : "+l"(s.p) : "r"(s.b), "r"(s.c))
OP(imad_wide_chain, "{ .reg .u32 t; cvt.u32.u64 t, %0; mad.wide.u32 %0, t, %1, %2; }",
   : "+l"(s.p)
   : "r"(s.b), "l"(s.q))
OP(iadd_lop3, "add.u32 %0, %0, %1; xor.b32 %0, %0, %2;", : "+r"(s.a) : "r"(s.b), "r"(s.c))
OP(lop3, "lop3.b32 %0, %1, %0, %2, 0x6a;", : "+r"(s.a) : "r"(s.b), "r"(s.c))
OP(shf, "shf.l.wrap.b32 %0, %0, %1, %2;", : "+r"(s.a) : "r"(s.b), "r"(s.c))
OP(prmt, "prmt.b32 %0, %0, %1, %2;", : "+r"(s.a) : "r"(s.b), "r"(s.c))
OP(viaddmnmx, "min.u32 %0, %0, %1; add.u32 %0, %0, %2;", : "+r"(s.a) : "r"(s.b), "r"(s.c))
OP(fmnmx, "min.f32 %0, %0, %1; max.f32 %0, %0, %2;", : "+f"(s.x) : "f"(s.y), "f"(s.z))
OP(isetp_pred_add, "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p add.u32 %0, %0, %2; }",
   : "+r"(s.a)
   : "r"(s.b), "r"(s.c))
OP(isetp_sel, "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p; }",
   : "+r"(s.a)
   : "r"(s.b), "r"(s.c))
OP(lop3_imad_mix, "lop3.b32 %0, %2, %0, %3, 0x6a; mad.lo.u32 %1, %1, %2, %3;",
   : "+r"(s.a), "+r"(s.d)
   : "r"(s.b), "r"(s.c))
OP(dfma, "fma.rn.f64 %0, %0, %1, %2;", : "+d"(s.u) : "d"(s.v), "d"(s.w))
OP(dadd, "add.rn.f64 %0, %0, %1;", : "+d"(s.u) : "d"(s.v))
OP(dmul, "mul.rn.f64 %0, %0, %1;", : "+d"(s.u) : "d"(s.v))
OP(hfma2, "fma.rn.f16x2 %0, %0, %1, %2;", : "+r"(s.h) : "r"(s.b), "r"(s.c))
OP(hadd2, "add.rn.f16x2 %0, %0, %1;", : "+r"(s.h) : "r"(s.b))
OP(mufu_ex2, "ex2.approx.ftz.f32 %0, %0;", : "+f"(s.x))
OP(mufu_rcp_with_fadd, "rcp.approx.ftz.f32 %0, %0; add.rn.f32 %0, %0, %1;", : "+f"(s.x) : "f"(s.y))
OP(mufu_rsq, "rsqrt.approx.ftz.f32 %0, %0;", : "+f"(s.x))
OP(mufu_lg2, "lg2.approx.ftz.f32 %0, %0;", : "+f"(s.x))
OP(mufu_sin_with_fmul, "sin.approx.ftz.f32 %0, %0;", : "+f"(s.x))
OP(mufu_tanh, "tanh.approx.f32 %0, %0;", : "+f"(s.x))
OP(f2i_i2f, "{ .reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t; }", : "+f"(s.x))
OP(f2f16_f16f, "{ .reg .f16 t; cvt.rn.f16.f32 t, %0; cvt.f32.f16 %0, t; }", : "+f"(s.x))
OP(f2f64_f64f, "{ .reg .f64 t; cvt.f64.f32 t, %0; cvt.rn.f32.f64 %0, t; }", : "+f"(s.x))
OP(popc, "popc.b32 %0, %0;", : "+r"(s.a))
OP(brev, "brev.b32 %0, %0;", : "+r"(s.a))
OP(flo, "bfind.u32 %0, %0;", : "+r"(s.a))
OP(shfl_bfly, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;", : "+r"(s.a))
OP(vote_ballot, "{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }",
   : "+r"(s.a)
   : "r"(s.b))
OP(redux_add, "redux.sync.add.u32 %0, %0, 0xffffffff;", : "+r"(s.a))
OP(redux_min, "redux.sync.min.u32 %0, %0, 0xffffffff;", : "+r"(s.a))
OP(match_any, "match.any.sync.b32 %0, %0, 0xffffffff;", : "+r"(s.a))
OP(lds_32, "ld.volatile.shared.u32 %0, [%0];", : "+r"(s.shared))
OP(lds_64, "{ .reg .u32 t; ld.volatile.shared.v2.u32 {%0, t}, [%0]; }", : "+r"(s.shared))
OP(lds_128, "{ .reg .u32 t, v, w; ld.volatile.shared.v4.u32 {%0, t, v, w}, [%0]; }",
   : "+r"(s.shared))
OP(sts_lds, "st.volatile.shared.u32 [%0], %0; ld.volatile.shared.u32 %0, [%0];", : "+r"(s.shared))
OP(sts_32, "st.volatile.shared.u32 [%0], %1;", ::"r"(s.shared), "r"(s.a))
OP(sts_128, "st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};", ::"r"(s.shared), "r"(s.a))
OP(atoms_add_return, "atom.shared.add.u32 %0, [%1], %0;", : "+r"(s.a) : "r"(s.shared))
OP(atoms_add, "red.shared.add.u32 [%0], %1;", ::"r"(s.shared), "r"(s.a))
OP(atoms_cas, "atom.shared.cas.b32 %0, [%1], %0, %2;", : "+r"(s.a) : "r"(s.shared), "r"(s.b))
OP(ldc_indexed, "ld.const.u32 %0, [%0];", : "+r"(s.index))
OP(s2r_pred, "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%warpid; }",
   : "+r"(s.a)
   : "r"(s.b))
OP(clock_pred, "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%clock; }",
   : "+r"(s.a)
   : "r"(s.b))
OP(ldg_64_l1, "ld.global.u64 %0, [%0];", : "+l"(s.global))
OP(ldg_128_l1, "{ .reg .u64 t; ld.global.v2.u64 {%0, t}, [%0]; }", : "+l"(s.global))
OP(stg_32_with_iadd64, "st.global.u32 [%0], %1; add.u64 %0, %0, 4096;", : "+l"(s.store) : "r"(s.a))
OP(hmma_16816_f32,
   "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
   "{%0,%1,%2,%3};",
   : "+f"(s.acc[0]), "+f"(s.acc[1]), "+f"(s.acc[2]), "+f"(s.acc[3])
   : "r"(s.frag[0]), "r"(s.frag[1]), "r"(s.frag[2]), "r"(s.frag[3]), "r"(s.frag[4]), "r"(s.frag[5]))
OP(hmma_1688_f32,
   "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
   "{%0,%1,%2,%3};",
   : "+f"(s.acc[0]), "+f"(s.acc[1]), "+f"(s.acc[2]), "+f"(s.acc[3])
   : "r"(s.frag[0]), "r"(s.frag[1]), "r"(s.frag[4]))
OP(hmma_1688_tf32,
   "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
   "{%0,%1,%2,%3};",
   : "+f"(s.acc[0]), "+f"(s.acc[1]), "+f"(s.acc[2]), "+f"(s.acc[3])
   : "r"(s.frag[0]), "r"(s.frag[1]), "r"(s.frag[2]), "r"(s.frag[3]), "r"(s.frag[4]), "r"(s.frag[5]))
OP(dmma_884, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};",
   : "+d"(s.u), "+d"(s.v)
   : "d"(s.w), "d"(s.w))

// kWays-way shared-memory bank conflict: lanes a multiple of kWays words apart.
template <int kWays>
struct lds_conflict {
  static constexpr const char* kName = "lds_conflict";
  static __device__ __forceinline__ void step(State& s) { lds_32::step(s); }
};

}  // namespace ops

using namespace ops;

constexpr int kSharedWords = 1024;

template <class Op>
__device__ State make_state(uint32_t seed, int ways, uint32_t* shared_words, uint64_t* global_words,
                            int stream) {
  State s;
  const uint32_t lane = threadIdx.x % 32;
  s.a = seed + lane + stream;
  s.b = seed * 3 + 5 + lane;
  s.c = seed + 7 + 3 * lane;
  s.d = seed + 9 + stream + lane;
  s.x = 1.0f + seed + 0.001f * stream;
  s.y = 0.999f + seed;
  s.z = 0.001f + seed;
  s.u = 1.0 + seed + 0.001 * stream;
  s.v = 0.999 + seed;
  s.w = 0.001 + seed;
  s.p = seed + 11 + stream + lane;
  s.q = seed + 13 + lane;
  s.h = 0x3c003c00u + seed;
  for (int i = 0; i < 4; ++i) {
    s.acc[i] = seed + stream;
  }
  for (int i = 0; i < 6; ++i) {
    s.frag[i] = seed;
  }
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(shared_words));
  s.shared = base + ((lane * ways) % kSharedWords) * 4;
  s.global = reinterpret_cast<uint64_t>(global_words + threadIdx.x * ways);
  s.store =
      reinterpret_cast<uint64_t>(global_words) + threadIdx.x * 4 + uint64_t(stream) * (12 << 20);
  s.index = seed * lane;  // zero, but not uniform to the compiler
  return s;
}

template <class Op, int kStreams, int kSteps>
__global__ void __launch_bounds__(1024)
    run_op(uint32_t seed, int ways, int iterations, uint64_t* global_words, uint64_t* starts,
           uint64_t* ends, uint32_t* sink) {
  __shared__ __align__(16) uint32_t words[kSharedWords];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  for (int i = threadIdx.x; i < kSharedWords; i += blockDim.x) {
    words[i] = base + i * 4;  // every word holds its own address
  }
  __syncthreads();
  State s[kStreams];
#pragma unroll
  for (int i = 0; i < kStreams; ++i) {
    s[i] = make_state<Op>(seed, ways, words, global_words, i);
  }
  uint64_t start = 0;
#pragma unroll 1
  for (int n = 0; n < iterations + 1; ++n) {
    if (n == 1) {
      __syncthreads();
      start = read_clock64();
    }
#pragma unroll
    for (int k = 0; k < kSteps; ++k) {
#pragma unroll
      for (int i = 0; i < kStreams; ++i) {
        Op::step(s[i]);
      }
    }
  }
  // The chains' results are used before the end stamp, so the last latency counts.
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kStreams; ++i) {
    const State& t = s[i];
    sum ^= t.a ^ t.d ^ __float_as_uint(t.x) ^ static_cast<uint32_t>(t.p) ^ t.h ^ t.shared ^
           static_cast<uint32_t>(t.global) ^ t.index ^ __float_as_uint(t.acc[0]) ^
           static_cast<uint32_t>(__double_as_longlong(t.u));
  }
  asm volatile("" ::"r"(sum) : "memory");
  const uint64_t end = read_clock64();
  if (threadIdx.x % 32 == 0) {
    starts[threadIdx.x / 32] = start;
    ends[threadIdx.x / 32] = end;
  }
  sink[threadIdx.x] = sum;
}

static uint64_t* global_words;
static uint64_t* starts;
static uint64_t* ends;
static uint32_t* sink;

template <class Op, int kStreams, int kSteps>
static double cycles(int warps, int ways) {
  const int iterations = 8;
  for (int repeat = 0; repeat < 2; ++repeat) {
    run_op<Op, kStreams, kSteps>
        <<<1, warps * 32>>>(0, ways, iterations, global_words, starts, ends, sink);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  const auto first = to_host(starts, warps);
  const auto last = to_host(ends, warps);
  const uint64_t begin = *std::min_element(first.begin(), first.end());
  const uint64_t end = *std::max_element(last.begin(), last.end());
  const double per_scheduler = double(iterations) * kSteps * kStreams * std::max(1, warps / 4);
  return double(end - begin) / per_scheduler;
}

template <class Op>
static void report(int ways = 1) {
  std::printf("%s,%d", Op::kName, ways);
  std::printf(",%.2f", cycles<Op, 1, 256>(1, ways));
  for (int warps : {4, 8, 16, 32}) {
    std::printf(",%.2f", cycles<Op, 1, 256>(warps, ways));
  }
  std::printf(",%.2f", cycles<Op, 8, 32>(1, ways));
  for (int warps : {4, 8, 16, 32}) {
    std::printf(",%.2f", cycles<Op, 8, 32>(warps, ways));
  }
  std::printf("\n");
  std::fflush(stdout);
}

template <class... Ops>
static void report_all() {
  (report<Ops>(), ...);
}

int main() {
  const size_t count = 16 << 20;
  global_words = device_alloc<uint64_t>(count);
  std::vector<uint64_t> self(count);
  for (size_t i = 0; i < count; ++i) {
    self[i] = reinterpret_cast<uint64_t>(global_words + i);
  }
  CHECK(cudaMemcpy(global_words, self.data(), count * 8, cudaMemcpyHostToDevice));
  starts = device_alloc<uint64_t>(32);
  ends = device_alloc<uint64_t>(32);
  sink = device_alloc<uint32_t>(1024);
  std::printf(
      "op,ways,chain_1warp,chain_4warps,chain_8warps,chain_16warps,chain_32warps,ilp8_1warp,"
      "ilp8_4warps,ilp8_8warps,ilp8_16warps,ilp8_32warps\n");
  report_all<ops::ffma, ops::fadd, ops::fmul, imad, imad_wide, imad_wide_chain, iadd_lop3, lop3,
             shf, prmt, viaddmnmx, fmnmx, isetp_pred_add, isetp_sel, lop3_imad_mix>();
  report_all<ops::dfma, ops::dadd, ops::dmul, hfma2, hadd2, mufu_ex2, mufu_rcp_with_fadd, mufu_rsq,
             mufu_lg2, mufu_sin_with_fmul, mufu_tanh, f2i_i2f, f2f16_f16f, f2f64_f64f, popc, brev,
             flo>();
  report_all<shfl_bfly, vote_ballot, redux_add, redux_min, match_any, lds_32>();
  for (int ways : {1, 2, 4, 8, 16, 32}) {
    report<lds_conflict<1>>(ways);
  }
  report<lds_64>(2);
  report<lds_128>(4);
  report_all<sts_lds, sts_32>();
  for (int ways : {2, 4, 8, 32}) {
    report<sts_32>(ways);
  }
  report<sts_128>(4);
  for (int ways : {0, 1, 2, 4, 8, 32}) {
    report<atoms_add_return>(ways);
    report<atoms_add>(ways);
  }
  report<atoms_cas>(1);
  report_all<ldc_indexed, s2r_pred, clock_pred, ldg_64_l1, hmma_16816_f32, hmma_1688_f32,
             hmma_1688_tf32, dmma_884>();
  for (int ways : {0, 2, 4, 8, 16}) {
    report<ldg_64_l1>(ways);
  }
  report<ldg_128_l1>(2);
  report<stg_32_with_iadd64>(1);
  return 0;
}
