// Application-like kernels of families that `apps` does not have, each launched once under a stable
// name. Most launches form pairs that differ in one thing; see profiled.cuh for the arguments.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cmath>
#include <random>

#include "common.cuh"
#include "profiled.cuh"

// ---------------------------------------------------------------- scan

__device__ __forceinline__ unsigned warp_inclusive_scan(unsigned value) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, step);
    value += lane >= step ? other : 0u;
  }
  return value;
}

// The sum of `value` over the threads before this one; `total` becomes that over all threads.
template <int kBlock>
__device__ __forceinline__ unsigned block_exclusive_scan(unsigned value, unsigned* warp_totals,
                                                         unsigned* total) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const unsigned inclusive = warp_inclusive_scan(value);
  if (lane == 31) {
    warp_totals[warp] = inclusive;
  }
  __syncthreads();
  if (warp == 0) {
    const unsigned mine = lane < kBlock / 32 ? warp_totals[lane] : 0u;
    const unsigned scanned = warp_inclusive_scan(mine);
    if (lane < kBlock / 32) {
      warp_totals[lane] = scanned;
    }
  }
  __syncthreads();
  *total = warp_totals[kBlock / 32 - 1];
  const unsigned before = warp > 0 ? warp_totals[warp - 1] : 0u;
  __syncthreads();
  return before + inclusive - value;
}

__device__ __forceinline__ uint4 exclusive_in_vector(unsigned before, uint4 v) {
  uint4 result;
  result.x = before;
  result.y = result.x + v.x;
  result.z = result.y + v.y;
  result.w = result.z + v.z;
  return result;
}

template <int kBlock>
__global__ void scan_tiles(const uint4* in, uint4* out, unsigned* totals) {
  __shared__ unsigned warp_totals[32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const uint4 v = in[i];
  unsigned total = 0;
  const unsigned before = block_exclusive_scan<kBlock>(v.x + v.y + v.z + v.w, warp_totals, &total);
  out[i] = exclusive_in_vector(before, v);
  if (threadIdx.x == 0) {
    totals[blockIdx.x] = total;
  }
}

// Reduce, then scan: every block owns a run of tiles of 1024 elements.
__global__ void scan_grid(int tiles, const uint4* in, uint4* out, unsigned* totals) {
  __shared__ unsigned warp_totals[32];
  const int first = int(int64_t(tiles) * blockIdx.x / gridDim.x);
  const int last = int(int64_t(tiles) * (blockIdx.x + 1) / gridDim.x);
  unsigned sum = 0;
  for (int t = first; t < last; ++t) {
    const uint4 v = in[t * 256 + threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
  }
  unsigned total = 0;
  block_exclusive_scan<256>(sum, warp_totals, &total);
  if (threadIdx.x == 0) {
    totals[blockIdx.x] = total;
  }
  cooperative_groups::this_grid().sync();
  unsigned earlier = 0;
  for (int b = threadIdx.x; b < blockIdx.x; b += 256) {
    earlier += totals[b];
  }
  unsigned carry = 0;
  block_exclusive_scan<256>(earlier, warp_totals, &carry);
  for (int t = first; t < last; ++t) {
    const uint4 v = in[t * 256 + threadIdx.x];
    const unsigned before = block_exclusive_scan<256>(v.x + v.y + v.z + v.w, warp_totals, &total);
    out[t * 256 + threadIdx.x] = exclusive_in_vector(carry + before, v);
    carry += total;
  }
}

// ---------------------------------------------------------------- sort

template <int kBlock>
__global__ void bitonic_tiles(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[2048];
  const int base = blockIdx.x * 2048;
  for (int i = threadIdx.x; i < 2048; i += kBlock) {
    tile[i] = in[base + i];
  }
  for (int size = 2; size <= 2048; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
#pragma unroll
      for (int t = threadIdx.x; t < 1024; t += kBlock) {
        const int low = 2 * t - (t & (step - 1));
        const bool ascending = (low & size) == 0;
        const unsigned a = tile[low];
        const unsigned b = tile[low + step];
        if ((a > b) == ascending) {
          tile[low] = b;
          tile[low + step] = a;
        }
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 2048; i += kBlock) {
    out[base + i] = tile[i];
  }
}

// Counts of one 8-bit digit for each block of 4096 keys, in one shared histogram or one per warp.
template <int kCopies>
__global__ void radix_count(int shift, const uint4* keys, unsigned* counts) {
  __shared__ unsigned local[kCopies][256];
  for (int c = 0; c < kCopies; ++c) {
    local[c][threadIdx.x] = 0;
  }
  __syncthreads();
  unsigned* mine = local[threadIdx.x / 32 % kCopies];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const uint4 v = keys[blockIdx.x * 1024 + k * 256 + threadIdx.x];
    atomicAdd(&mine[v.x >> shift & 255u], 1u);
    atomicAdd(&mine[v.y >> shift & 255u], 1u);
    atomicAdd(&mine[v.z >> shift & 255u], 1u);
    atomicAdd(&mine[v.w >> shift & 255u], 1u);
  }
  __syncthreads();
  unsigned total = 0;
  for (int c = 0; c < kCopies; ++c) {
    total += local[c][threadIdx.x];
  }
  counts[threadIdx.x * gridDim.x + blockIdx.x] = total;
}

// ---------------------------------------------------------------- graph

__device__ __forceinline__ void visit(int vertex, int depth, int* level, int* next,
                                      int* next_count) {
  if (level[vertex] < 0 && atomicCAS(&level[vertex], -1, depth) == -1) {
    next[atomicAdd(next_count, 1)] = vertex;
  }
}

__global__ void bfs_expand_thread(int n, int depth, const int* frontier, const int* start,
                                  const int* column, int* level, int* next, int* next_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const int vertex = frontier[i];
  const int end = start[vertex + 1];
  for (int k = start[vertex]; k < end; ++k) {
    visit(column[k], depth, level, next, next_count);
  }
}

__global__ void bfs_expand_warp(int n, int depth, const int* frontier, const int* start,
                                const int* column, int* level, int* next, int* next_count) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= n) {
    return;
  }
  const int vertex = frontier[i];
  const int end = start[vertex + 1];
  for (int k = start[vertex] + threadIdx.x % 32; k < end; k += 32) {
    visit(column[k], depth, level, next, next_count);
  }
}

// ---------------------------------------------------------------- fft

__device__ __forceinline__ float2 complex_multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ __forceinline__ float2 complex_add(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}

__device__ __forceinline__ float2 complex_subtract(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}

// One Stockham transform of 1024 points per block of 256 threads.
__global__ void fft_radix2(const float2* in, float2* out) {
  __shared__ float2 line[2][1024];
  const float2* source = in + blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024; i += 256) {
    line[0][i] = source[i];
  }
  int from = 0;
  for (int span = 1; span < 1024; span *= 2) {
    __syncthreads();
#pragma unroll
    for (int t = threadIdx.x; t < 512; t += 256) {
      const int k = t & (span - 1);
      float2 w;
      sincosf(-3.14159265f * k / span, &w.y, &w.x);
      const float2 a = line[from][t];
      const float2 b = complex_multiply(line[from][t + 512], w);
      line[1 - from][2 * t - k] = complex_add(a, b);
      line[1 - from][2 * t - k + span] = complex_subtract(a, b);
    }
    from = 1 - from;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += 256) {
    out[blockIdx.x * 1024 + i] = line[from][i];
  }
}

__global__ void fft_radix4(const float2* in, const float2* table, float2* out) {
  __shared__ float2 line[1024];
  __shared__ float2 twiddle[1024];
  const int t = threadIdx.x;
  float2 v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    v[j] = in[blockIdx.x * 1024 + t + 256 * j];
    twiddle[t + 256 * j] = table[t + 256 * j];
  }
  __syncthreads();
#pragma unroll
  for (int span = 1; span < 1024; span *= 4) {
    const int k = t & (span - 1);
#pragma unroll
    for (int j = 1; j < 4; ++j) {
      v[j] = complex_multiply(v[j], twiddle[j * k * (256 / span)]);
    }
    const float2 even = complex_add(v[0], v[2]);
    const float2 odd = complex_subtract(v[0], v[2]);
    const float2 sum = complex_add(v[1], v[3]);
    const float2 difference = complex_subtract(v[1], v[3]);
    const float2 turned = make_float2(difference.y, -difference.x);
    const int to = 4 * (t - k) + k;
    line[to] = complex_add(even, sum);
    line[to + span] = complex_add(odd, turned);
    line[to + 2 * span] = complex_subtract(even, sum);
    line[to + 3 * span] = complex_subtract(odd, turned);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      v[j] = line[t + 256 * j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    out[blockIdx.x * 1024 + t + 256 * j] = v[j];
  }
}

// ---------------------------------------------------------------- options

__device__ __forceinline__ float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes(int n, const float* spot_unit, const float* strike_unit,
                              const float* years_unit, float* call, float* put) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const float rate = 0.02f;
  const float volatility = 0.3f;
  const float spot = 5.0f + 25.0f * spot_unit[i];
  const float strike = 1.0f + 99.0f * strike_unit[i];
  const float years = 0.25f + 9.75f * years_unit[i];
  const float spread = volatility * sqrtf(years);
  const float d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / spread;
  const float c1 = normal_cdf(d1);
  const float c2 = normal_cdf(d1 - spread);
  const float discounted = strike * expf(-rate * years);
  call[i] = spot * c1 - discounted * c2;
  put[i] = discounted * (1.0f - c2) - spot * (1.0f - c1);
}

__device__ __forceinline__ float xorshift_uniform(unsigned* state) {
  unsigned s = *state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  *state = s;
  return ((s >> 8) + 1) * (1.0f / 16777216.0f);
}

// Arithmetic Asian calls: each thread walks `paths` paths of 32 steps.
__global__ void monte_carlo(int paths, float drift, float spread, float strike, float* mean) {
  __shared__ float partial[32];
  unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 88172645u;
  state |= 1u;
  float payoff = 0.0f;
  for (int p = 0; p < paths; ++p) {
    float price = 100.0f;
    float sum = 0.0f;
    for (int s = 0; s < 32; s += 2) {
      const float radius = sqrtf(-2.0f * logf(xorshift_uniform(&state)));
      float sine, cosine;
      __sincosf(6.2831853f * xorshift_uniform(&state), &sine, &cosine);
      price *= expf(drift + spread * radius * cosine);
      sum += price;
      price *= expf(drift + spread * radius * sine);
      sum += price;
    }
    payoff += fmaxf(sum / 32.0f - strike, 0.0f);
  }
  for (int step = 16; step > 0; step /= 2) {
    payoff += __shfl_xor_sync(0xffffffffu, payoff, step);
  }
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = payoff;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int w = 0; w < blockDim.x / 32; ++w) {
      total += partial[w];
    }
    mean[blockIdx.x] = total / (paths * blockDim.x);
  }
}

// ---------------------------------------------------------------- convolution

__constant__ float conv_filter[25];

template <int kRadius>
__global__ void conv_direct(int n, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  if (x >= kRadius && y >= kRadius && x < n - kRadius && y < n - kRadius) {
#pragma unroll
    for (int j = -kRadius; j <= kRadius; ++j) {
#pragma unroll
      for (int i = -kRadius; i <= kRadius; ++i) {
        sum +=
            conv_filter[(j + kRadius) * (2 * kRadius + 1) + i + kRadius] * in[(y + j) * n + x + i];
      }
    }
  }
  out[y * n + x] = sum;
}

template <int kRows>
__global__ void conv_tiled(int n, const float* in, float* out) {
  constexpr int kRadius = 2;
  constexpr int kWidth = 32 + 2 * kRadius;
  constexpr int kHeight = kRows + 2 * kRadius;
  __shared__ float tile[kHeight][kWidth];
  const int x0 = blockIdx.x * 32 - kRadius;
  const int y0 = blockIdx.y * kRows - kRadius;
  for (int t = threadIdx.y * 32 + threadIdx.x; t < kWidth * kHeight; t += 32 * kRows) {
    const int x = x0 + t % kWidth;
    const int y = y0 + t / kWidth;
    const bool inside = x >= 0 && y >= 0 && x < n && y < n;
    tile[t / kWidth][t % kWidth] = inside ? in[y * n + x] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j <= 2 * kRadius; ++j) {
#pragma unroll
    for (int i = 0; i <= 2 * kRadius; ++i) {
      sum += conv_filter[j * (2 * kRadius + 1) + i] * tile[threadIdx.y + j][threadIdx.x + i];
    }
  }
  out[(blockIdx.y * kRows + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x] = sum;
}

// ---------------------------------------------------------------- attention

// One query of 64 floats per thread, 32 keys and values at a time in shared memory.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    attention_fp32(int length, const float4* q, const float4* k, const float4* v, float4* out) {
  __shared__ float4 k_tile[32][16];
  __shared__ float4 v_tile[32][16];
  const int head = blockIdx.y * length * 16;
  const int row = blockIdx.x * kBlock + threadIdx.x;
  float4 query[16];
  float4 sum[16];
#pragma unroll
  for (int d = 0; d < 16; ++d) {
    query[d] = q[head + row * 16 + d];
    sum[d] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  float largest = -1e30f;
  float weight = 0.0f;
  for (int base = 0; base < length; base += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += kBlock) {
      k_tile[i / 16][i % 16] = k[head + base * 16 + i];
      v_tile[i / 16][i % 16] = v[head + base * 16 + i];
    }
    __syncthreads();
#pragma unroll 1
    for (int j0 = 0; j0 < 32; j0 += 4) {
      float score[4];
      float top = largest;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        float dot = 0.0f;
#pragma unroll
        for (int d = 0; d < 16; ++d) {
          const float4 key = k_tile[j0 + j][d];
          dot += query[d].x * key.x + query[d].y * key.y + query[d].z * key.z + query[d].w * key.w;
        }
        score[j] = dot * 0.125f;
        top = fmaxf(top, score[j]);
      }
      const float scale = __expf(largest - top);
      largest = top;
      weight *= scale;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        score[j] = __expf(score[j] - top);
        weight += score[j];
      }
#pragma unroll
      for (int d = 0; d < 16; ++d) {
        float4 total = sum[d];
        total.x *= scale;
        total.y *= scale;
        total.z *= scale;
        total.w *= scale;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float4 value = v_tile[j0 + j][d];
          total.x += score[j] * value.x;
          total.y += score[j] * value.y;
          total.z += score[j] * value.z;
          total.w += score[j] * value.w;
        }
        sum[d] = total;
      }
    }
  }
  const float inverse = 1.0f / weight;
#pragma unroll
  for (int d = 0; d < 16; ++d) {
    out[head + row * 16 + d] =
        make_float4(sum[d].x * inverse, sum[d].y * inverse, sum[d].z * inverse, sum[d].w * inverse);
  }
}

// Four warps of 16 queries each, 32 keys at a time; scores, weights and sums lie in shared memory.
template <int kPad>
__global__ void __launch_bounds__(128)
    attention_wmma(int length, const half* q, const half* k, const half* v, float* out) {
  using namespace nvcuda;
  constexpr int kScoreRow = 32 + kPad;
  constexpr int kHeadRow = 64 + kPad;
  __shared__ __align__(128) half k_tile[32 * kHeadRow];
  __shared__ __align__(128) half v_tile[32 * kHeadRow];
  __shared__ __align__(128) float all_scores[4][16 * kScoreRow];
  __shared__ __align__(128) half all_weights[4][16 * kScoreRow];
  __shared__ __align__(128) float all_sums[4][16 * kHeadRow];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float* scores = all_scores[warp];
  half* weights = all_weights[warp];
  float* sums = all_sums[warp];
  const int head = blockIdx.y * length * 64;
  const int first_row = blockIdx.x * 64 + warp * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> query[4];
#pragma unroll
  for (int d = 0; d < 4; ++d) {
    wmma::load_matrix_sync(query[d], q + head + first_row * 64 + d * 16, 64);
  }
  // Two lanes share a row.
  const int row = lane / 2;
  const int side = lane % 2;
  for (int i = 0; i < 32; ++i) {
    sums[row * kHeadRow + side * 32 + i] = 0.0f;
  }
  float largest = -1e30f;
  float total = 0.0f;
  for (int base = 0; base < length; base += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * 8; i += 128) {
      const int from = head + (base + i / 8) * 64 + i % 8 * 8;
      const int to = i / 8 * kHeadRow + i % 8 * 8;
      *reinterpret_cast<uint4*>(&k_tile[to]) = *reinterpret_cast<const uint4*>(&k[from]);
      *reinterpret_cast<uint4*>(&v_tile[to]) = *reinterpret_cast<const uint4*>(&v[from]);
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
      wmma::fill_fragment(acc, 0.0f);
#pragma unroll
      for (int d = 0; d < 4; ++d) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> key;
        wmma::load_matrix_sync(key, &k_tile[c * 16 * kHeadRow + d * 16], kHeadRow);
        wmma::mma_sync(acc, query[d], key, acc);
      }
      wmma::store_matrix_sync(&scores[c * 16], acc, kScoreRow, wmma::mem_row_major);
    }
    __syncwarp();
    float score[16];
    float top = largest;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      score[i] = scores[row * kScoreRow + side * 16 + i] * 0.125f;
      top = fmaxf(top, score[i]);
    }
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
    const float scale = __expf(largest - top);
    largest = top;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const float weight = __expf(score[i] - top);
      sum += weight;
      weights[row * kScoreRow + side * 16 + i] = __float2half(weight);
    }
    total = total * scale + sum + __shfl_xor_sync(0xffffffffu, sum, 1);
    for (int i = 0; i < 32; ++i) {
      sums[row * kHeadRow + side * 32 + i] *= scale;
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> weight[2];
    wmma::load_matrix_sync(weight[0], weights, kScoreRow);
    wmma::load_matrix_sync(weight[1], weights + 16, kScoreRow);
#pragma unroll
    for (int d = 0; d < 4; ++d) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
      wmma::load_matrix_sync(acc, &sums[d * 16], kHeadRow, wmma::mem_row_major);
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> value;
        wmma::load_matrix_sync(value, &v_tile[c * 16 * kHeadRow + d * 16], kHeadRow);
        wmma::mma_sync(acc, weight[c], value, acc);
      }
      wmma::store_matrix_sync(&sums[d * 16], acc, kHeadRow, wmma::mem_row_major);
    }
    __syncwarp();
  }
  const float inverse = 1.0f / total;
  for (int i = 0; i < 32; ++i) {
    out[head + (first_row + row) * 64 + side * 32 + i] =
        sums[row * kHeadRow + side * 32 + i] * inverse;
  }
}

// ---------------------------------------------------------------- matrix-vector

__device__ __forceinline__ float dot4(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void gemv_warp(int rows, int columns4, const float4* __restrict__ a,
                          const float4* __restrict__ x, float* __restrict__ y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
  for (int c = threadIdx.x % 32; c < columns4; c += 32) {
    sum += dot4(a[row * columns4 + c], x[c]);
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  }
  if (threadIdx.x % 32 == 0) {
    y[row] = sum;
  }
}

template <int kBlock>
__global__ void gemv_block(int columns4, const float4* __restrict__ a, const float4* __restrict__ x,
                           float* __restrict__ y) {
  __shared__ float partial[kBlock];
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns4; c += kBlock) {
    sum += dot4(a[blockIdx.x * columns4 + c], x[c]);
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (int step = kBlock / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      partial[threadIdx.x] += partial[threadIdx.x + step];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    y[blockIdx.x] = partial[0];
  }
}

// ---------------------------------------------------------------- hashing

__device__ __forceinline__ unsigned mix_bits(unsigned h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ h >> 16;
}

// Open addressing with linear probing; zero marks a free slot, so all keys are odd.
__global__ void hash_insert(int n, const unsigned* keys, unsigned mask, unsigned* slots,
                            unsigned* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const unsigned key = keys[i] | 1u;
  unsigned slot = mix_bits(key) & mask;
  while (true) {
    const unsigned found = atomicCAS(&slots[slot], 0u, key);
    if (found == 0u || found == key) {
      break;
    }
    slot = (slot + 1) & mask;
  }
  values[slot] = key * 3u;
}

__global__ void hash_lookup(int n, const unsigned* keys, unsigned mask, const unsigned* slots,
                            const unsigned* values, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const unsigned key = keys[i] | 1u;
  unsigned slot = mix_bits(key) & mask;
  unsigned found = slots[slot];
  while (found != key && found != 0u) {
    slot = (slot + 1) & mask;
    found = slots[slot];
  }
  out[i] = found == key ? values[slot] : 0u;
}

// ---------------------------------------------------------------- alignment

// Needleman-Wunsch of two sequences of 128 letters per block, the matrix in shared memory, one row
// per thread. Unpadded, the cells of an anti-diagonal lie in one bank.
template <int kPad>
__global__ void nw_matrix(const unsigned char* first, const unsigned char* second, int* last_row) {
  extern __shared__ int matrix[];
  constexpr int kRow = 129 + kPad;
  const int i = threadIdx.x;
  const unsigned char letter = first[blockIdx.x * 128 + i] & 3;
  matrix[(i + 1) * kRow] = -2 * (i + 1);
  matrix[i + 1] = -2 * (i + 1);
  if (i == 0) {
    matrix[0] = 0;
  }
  for (int d = 0; d < 255; ++d) {
    __syncthreads();
    const int j = d - i;
    if (j >= 0 && j < 128) {
      const int at = (i + 1) * kRow + j + 1;
      const int other = second[blockIdx.x * 128 + j] & 3;
      const int match = matrix[at - kRow - 1] + (other == letter ? 3 : -1);
      matrix[at] = max(match, max(matrix[at - kRow], matrix[at - 1]) - 2);
    }
  }
  __syncthreads();
  last_row[blockIdx.x * 128 + i] = matrix[128 * kRow + i + 1];
}

// ---------------------------------------------------------------- embedding

// One warp sums 32 random rows of kDim floats.
template <int kDim>
__global__ void embedding_bag(unsigned row_mask, const unsigned* __restrict__ ids,
                              const float2* __restrict__ table, float2* __restrict__ out) {
  constexpr int kVectors = kDim / 64;
  const int lane = threadIdx.x % 32;
  const int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned mine = ids[bag * 32 + lane] & row_mask;
  float2 sum[kVectors] = {};
#pragma unroll 4
  for (int r = 0; r < 32; ++r) {
    const unsigned row = __shfl_sync(0xffffffffu, mine, r);
#pragma unroll
    for (int j = 0; j < kVectors; ++j) {
      const float2 v = table[row * (kDim / 2) + j * 32 + lane];
      sum[j].x += v.x;
      sum[j].y += v.y;
    }
  }
#pragma unroll
  for (int j = 0; j < kVectors; ++j) {
    out[bag * (kDim / 2) + j * 32 + lane] = make_float2(sum[j].x / 32.0f, sum[j].y / 32.0f);
  }
}

// ---------------------------------------------------------------- image

__device__ __forceinline__ unsigned map_bytes(const unsigned char* table, unsigned word) {
  return table[word & 255u] | table[word >> 8 & 255u] << 8 | table[word >> 16 & 255u] << 16 |
         unsigned(table[word >> 24]) << 24;
}

__global__ void image_lut(int n16, const uint4* in, const unsigned char* curve, uint4* out) {
  __shared__ unsigned char table[256];
  for (int t = threadIdx.x; t < 256; t += blockDim.x) {
    table[t] = curve[t];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n16) {
    uint4 v = in[i];
    v.x = map_bytes(table, v.x);
    v.y = map_bytes(table, v.y);
    v.z = map_bytes(table, v.z);
    v.w = map_bytes(table, v.w);
    out[i] = v;
  }
}

template <int kRadius>
__global__ void image_box(int width, int height, const unsigned char* in, unsigned char* out) {
  constexpr int kTileWidth = 32 + 2 * kRadius;
  constexpr int kTileHeight = 8 + 2 * kRadius;
  constexpr int kSide = 2 * kRadius + 1;
  __shared__ unsigned char tile[kTileHeight][kTileWidth];
  for (int t = threadIdx.y * 32 + threadIdx.x; t < kTileWidth * kTileHeight; t += 256) {
    const int x = min(max(int(blockIdx.x) * 32 - kRadius + t % kTileWidth, 0), width - 1);
    const int y = min(max(int(blockIdx.y) * 8 - kRadius + t / kTileWidth, 0), height - 1);
    tile[t / kTileWidth][t % kTileWidth] = in[y * width + x];
  }
  __syncthreads();
  int sum = kSide * kSide / 2;
#pragma unroll
  for (int j = 0; j < kSide; ++j) {
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
      sum += tile[threadIdx.y + j][threadIdx.x + i];
    }
  }
  out[(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] =
      sum / (kSide * kSide);
}

// ---------------------------------------------------------------- asynchronous copies

// 64 x 64 tile per block of 256 threads, 4 x 4 results per thread, kStages slabs of 16 in flight.
template <int kStages>
__global__ void __launch_bounds__(256)
    pipeline_gemm(int n, const float* a, const float* b, float* c) {
  __shared__ __align__(16) float a_tile[kStages][64][20];
  __shared__ __align__(16) float b_tile[kStages][16][64];
  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int slabs = n / 16;
  const auto fetch = [&](int slab) {
    if (slab < slabs) {
      const int stage = slab % kStages;
      const int row = threadIdx.x / 4;
      const int k = threadIdx.x % 4 * 4;
      __pipeline_memcpy_async(&a_tile[stage][row][k],
                              &a[(blockIdx.y * 64 + row) * n + slab * 16 + k], 16);
      __pipeline_memcpy_async(&b_tile[stage][ty][tx * 4],
                              &b[(slab * 16 + ty) * n + blockIdx.x * 64 + tx * 4], 16);
    }
    // An empty group keeps the count of groups equal to that of slabs.
    __pipeline_commit();
  };
  for (int s = 0; s < kStages - 1; ++s) {
    fetch(s);
  }
  float sum[4][4] = {};
  for (int slab = 0; slab < slabs; ++slab) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    fetch(slab + kStages - 1);
    const int stage = slab % kStages;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 right = *reinterpret_cast<const float4*>(&b_tile[stage][k][tx * 4]);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float left = a_tile[stage][ty * 4 + i][k];
        sum[i][0] += left * right.x;
        sum[i][1] += left * right.y;
        sum[i][2] += left * right.z;
        sum[i][3] += left * right.w;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    *reinterpret_cast<float4*>(&c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4]) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
  }
}

// ---------------------------------------------------------------- 3D stencil, lattice Boltzmann

// Marches through `chunk` planes with the column of a thread in registers.
__global__ void stencil7_fp64(int n, int chunk, const double* __restrict__ in,
                              double* __restrict__ out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) {
    return;
  }
  const int first = max(int(blockIdx.z) * chunk, 1);
  const int last = min((int(blockIdx.z) + 1) * chunk, n - 1);
  const int plane = n * n;
  int i = first * plane + y * n + x;
  double below = in[i - plane];
  double here = in[i];
  for (int z = first; z < last; ++z) {
    const double above = in[i + plane];
    out[i] = 0.4 * here + 0.1 * (below + above + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    below = here;
    here = above;
    i += plane;
  }
}

// One D2Q9 step, pull scheme, periodic in both directions (width and height powers of two).
template <int kMinBlocks>
__global__ void __launch_bounds__(256, kMinBlocks)
    d2q9_step(int width, int height, float omega, const float* __restrict__ in,
              float* __restrict__ out) {
  const int cells = width * height;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  const int west = (x - 1) & (width - 1);
  const int east = (x + 1) & (width - 1);
  const int south = ((y - 1) & (height - 1)) * width;
  const int north = ((y + 1) & (height - 1)) * width;
  const int row = y * width;
  const float f0 = in[row + x];
  const float f1 = in[cells + row + west];
  const float f2 = in[2 * cells + south + x];
  const float f3 = in[3 * cells + row + east];
  const float f4 = in[4 * cells + north + x];
  const float f5 = in[5 * cells + south + west];
  const float f6 = in[6 * cells + south + east];
  const float f7 = in[7 * cells + north + east];
  const float f8 = in[8 * cells + north + west];
  const float density = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 + 1e-6f;
  const float u = (f1 - f3 + f5 - f6 - f7 + f8) / density;
  const float v = (f2 - f4 + f5 + f6 - f7 - f8) / density;
  const float rest = 1.0f - 1.5f * (u * u + v * v);
  const auto relax = [&](int direction, float f, float weight, float along) {
    const float target = weight * density * (rest + 3.0f * along + 4.5f * along * along);
    out[direction * cells + row + x] = f + omega * (target - f);
  };
  relax(0, f0, 4.0f / 9.0f, 0.0f);
  relax(1, f1, 1.0f / 9.0f, u);
  relax(2, f2, 1.0f / 9.0f, v);
  relax(3, f3, 1.0f / 9.0f, -u);
  relax(4, f4, 1.0f / 9.0f, -v);
  relax(5, f5, 1.0f / 36.0f, u + v);
  relax(6, f6, 1.0f / 36.0f, v - u);
  relax(7, f7, 1.0f / 36.0f, -u - v);
  relax(8, f8, 1.0f / 36.0f, u - v);
}

// ---------------------------------------------------------------- activation

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

__global__ void gelu_bias(int n2, int columns2, const half2* __restrict__ in,
                          const half2* __restrict__ bias, half2* __restrict__ out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n2; i += gridDim.x * blockDim.x) {
    const float2 v = __half22float2(__hadd2(in[i], bias[i % columns2]));
    out[i] = __floats2half2_rn(gelu(v.x), gelu(v.y));
  }
}

// ---------------------------------------------------------------- host

struct HashTable {
  unsigned* slots;
  unsigned* values;
};

struct Frontier {
  int* level;
  int* next;
  int* count;
};

struct Data {
  float* x;
  float* y;
  float* out;
  unsigned* keys;
  unsigned* small;
  double* field;
  half* halves;
  unsigned char* bytes;
  float2* twiddles;
  int* row_start;
  int* column;
  int* frontier;
  Frontier frontiers[3];
  HashTable tables[3];
};

static Data data;

constexpr int kVertices = 1 << 20;
constexpr int kHashKeys = 1 << 21;
constexpr int kFullTableKeys = 3 << 20;

__device__ __forceinline__ unsigned scramble(unsigned i) {
  unsigned h = i * 2654435761u + 97531u;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

__global__ void held_out_fill_floats(size_t n, unsigned seed, float* x) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    x[i] = (scramble(unsigned(i) + seed) >> 8) * (1.0f / 16777216.0f);
  }
}

__global__ void held_out_fill_words(size_t n, unsigned seed, unsigned mask, unsigned* x) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    x[i] = scramble(unsigned(i) + seed) & mask;
  }
}

__global__ void held_out_fill_halves(size_t n, half* x) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    x[i] = __float2half((scramble(unsigned(i)) >> 8) * (4.0f / 16777216.0f) - 2.0f);
  }
}

__global__ void held_out_fill_doubles(size_t n, double* x) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    x[i] = scramble(unsigned(i)) * (1.0 / 4294967296.0);
  }
}

__global__ void held_out_fill_levels(int n, int* level) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    level[i] = scramble(i) % 2 == 0 ? 0 : -1;
  }
}

// A graph of mean degree about 7 whose few hubs have 400 neighbours.
static void prepare_graph() {
  std::vector<int> start(kVertices + 1, 0);
  std::vector<int> frontier(kVertices / 4);
  std::mt19937 engine(11);
  for (int v = 0; v < kVertices; ++v) {
    const double u = (engine() % 1000000 + 1) / 1e6;
    start[v + 1] = start[v] + std::min(400, int(3.0 / std::pow(u, 0.6)));
  }
  for (int i = 0; i < kVertices / 4; ++i) {
    frontier[i] = int(i * 2654435761u % kVertices);
  }
  data.row_start = device_alloc<int>(start.size());
  data.column = device_alloc<int>(start.back());
  data.frontier = device_alloc<int>(frontier.size());
  CHECK(cudaMemcpy(data.row_start, start.data(), start.size() * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(data.frontier, frontier.data(), frontier.size() * 4, cudaMemcpyHostToDevice));
  held_out_fill_words<<<1056, 256>>>(start.back(), 5, kVertices - 1,
                                     reinterpret_cast<unsigned*>(data.column));
  for (Frontier& f : data.frontiers) {
    f = {device_alloc<int>(kVertices), device_alloc<int>(kVertices), device_alloc<int>(1)};
    held_out_fill_levels<<<1056, 256>>>(kVertices, f.level);
  }
}

// Table 0 stays empty for the insertion; 1 and 2 become half and three quarters full.
static void prepare_tables() {
  for (HashTable& table : data.tables) {
    table = {device_alloc<unsigned>(1 << 23), device_alloc<unsigned>(1 << 23)};
  }
  const unsigned mask = (1u << 22) - 1;
  hash_insert<<<kHashKeys / 256, 256>>>(kHashKeys, data.keys, mask, data.tables[1].slots,
                                        data.tables[1].values);
  hash_insert<<<kFullTableKeys / 256, 256>>>(kFullTableKeys, data.keys, mask, data.tables[2].slots,
                                             data.tables[2].values);
}

static void prepare_constants() {
  std::vector<float> filter(25);
  std::vector<float2> twiddles(1024);
  for (int i = 0; i < 25; ++i) {
    filter[i] = (i % 7 + 1) / 100.0f;
  }
  for (int i = 0; i < 1024; ++i) {
    const double angle = -2.0 * 3.14159265358979 * i / 1024;
    twiddles[i] = make_float2(float(std::cos(angle)), float(std::sin(angle)));
  }
  CHECK(cudaMemcpyToSymbol(conv_filter, filter.data(), filter.size() * 4));
  data.twiddles = device_alloc<float2>(1024);
  CHECK(cudaMemcpy(data.twiddles, twiddles.data(), 1024 * 8, cudaMemcpyHostToDevice));
}

static void prepare() {
  data.x = device_alloc<float>(1 << 27);
  data.y = device_alloc<float>(1 << 26);
  data.out = device_alloc<float>(1 << 26);
  data.keys = device_alloc<unsigned>(1 << 26);
  data.small = device_alloc<unsigned>(1 << 22);
  data.field = device_alloc<double>(1 << 24);
  data.halves = device_alloc<half>(1 << 25);
  data.bytes = device_alloc<unsigned char>(1 << 26);
  held_out_fill_floats<<<1056, 256>>>(1 << 27, 1, data.x);
  held_out_fill_floats<<<1056, 256>>>(1 << 26, 77777, data.y);
  held_out_fill_words<<<1056, 256>>>(1 << 26, 3, 0xffffffffu, data.keys);
  held_out_fill_words<<<1056, 256>>>(1 << 24, 4, 0xffffffffu,
                                     reinterpret_cast<unsigned*>(data.bytes));
  held_out_fill_doubles<<<1056, 256>>>(1 << 24, data.field);
  held_out_fill_halves<<<1056, 256>>>(1 << 25, data.halves);
  prepare_graph();
  prepare_tables();
  prepare_constants();
  CHECK(cudaDeviceSynchronize());
}

template <class Kernel>
static void allow_shared(Kernel* kernel, int bytes) {
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

template <int kBlock>
static void launch_scan_tiles() {
  scan_tiles<kBlock><<<(1 << 23) / kBlock, kBlock>>>(
      reinterpret_cast<uint4*>(data.keys), reinterpret_cast<uint4*>(data.out), data.small);
}

static void launch_scan_grid() {
  int tiles = (1 << 23) / 1024;
  void* in = data.keys;
  void* out = data.out;
  void* totals = data.small;
  void* arguments[] = {&tiles, &in, &out, &totals};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(scan_grid), dim3(132 * 4), dim3(256),
                                    arguments, 0, 0));
}

template <int kBlock>
static void launch_bitonic() {
  bitonic_tiles<kBlock><<<2048, kBlock>>>(data.keys, reinterpret_cast<unsigned*>(data.out));
}

template <int kCopies>
static void launch_radix_count() {
  radix_count<kCopies><<<8192, 256>>>(8, reinterpret_cast<uint4*>(data.keys), data.small);
}

static void launch_bfs_thread(int block, const Frontier& f) {
  const int n = kVertices / 4;
  bfs_expand_thread<<<n / block, block>>>(n, 1, data.frontier, data.row_start, data.column, f.level,
                                          f.next, f.count);
}

static void launch_bfs_warp(const Frontier& f) {
  const int n = 1 << 14;
  bfs_expand_warp<<<n / 4, 128>>>(n, 1, data.frontier, data.row_start, data.column, f.level, f.next,
                                  f.count);
}

static void launch_fft_radix4(int shared) {
  allow_shared(fft_radix4, 60 * 1024);
  fft_radix4<<<8192, 256, shared>>>(reinterpret_cast<float2*>(data.x), data.twiddles,
                                    reinterpret_cast<float2*>(data.out));
}

static void launch_black_scholes(int block) {
  const int n = 1 << 23;
  black_scholes<<<(n + block - 1) / block, block>>>(n, data.x, data.y, data.x + n, data.out,
                                                    data.out + n);
}

static void launch_monte_carlo(int shared) {
  allow_shared(monte_carlo, 100 * 1024);
  monte_carlo<<<132 * 8, 192, shared>>>(16, 0.0005f, 0.02f, 100.0f, data.out);
}

template <int kRows>
static void launch_conv_tiled() {
  conv_tiled<kRows><<<dim3(128, 4096 / kRows), dim3(32, kRows)>>>(4096, data.x, data.out);
}

static void launch_attention_fp32() {
  const float4* x = reinterpret_cast<float4*>(data.x);
  const int size = 32 * 1024 * 16;
  attention_fp32<128><<<dim3(1024 / 128, 32), 128>>>(1024, x, x + size, x + 2 * size,
                                                     reinterpret_cast<float4*>(data.out));
}

template <int kPad>
static void launch_attention_wmma() {
  const int size = 32 * 1024 * 64;
  attention_wmma<kPad><<<dim3(1024 / 64, 32), 128>>>(1024, data.halves, data.halves + size,
                                                     data.halves + 2 * size, data.out);
}

static void launch_gemv_warp() {
  const int rows = 4100;
  gemv_warp<<<(rows + 7) / 8, 256>>>(rows, 1024, reinterpret_cast<float4*>(data.x),
                                     reinterpret_cast<float4*>(data.y), data.out);
}

template <int kBlock>
static void launch_gemv_block() {
  gemv_block<kBlock><<<16384, kBlock>>>(1024, reinterpret_cast<float4*>(data.x),
                                        reinterpret_cast<float4*>(data.y), data.out);
}

static void launch_hash_lookup(const HashTable& table) {
  const int n = 1 << 22;
  hash_lookup<<<(n + 95) / 96, 96>>>(n, data.keys, (1u << 22) - 1, table.slots, table.values,
                                     reinterpret_cast<unsigned*>(data.out));
}

template <int kPad>
static void launch_nw_matrix() {
  const int bytes = 129 * (129 + kPad) * 4;
  allow_shared(nw_matrix<kPad>, bytes);
  nw_matrix<kPad>
      <<<1584, 128, bytes>>>(data.bytes, data.bytes + (1 << 25), reinterpret_cast<int*>(data.out));
}

template <int kDim>
static void launch_embedding(unsigned rows) {
  embedding_bag<kDim><<<32768 / 4, 128>>>(rows - 1, data.keys, reinterpret_cast<float2*>(data.x),
                                          reinterpret_cast<float2*>(data.out));
}

template <int kRadius>
static void launch_image_box() {
  image_box<kRadius><<<dim3(128, 512), dim3(32, 8)>>>(4096, 4096, data.bytes,
                                                      reinterpret_cast<unsigned char*>(data.out));
}

template <int kStages>
static void launch_pipeline_gemm(int shared) {
  allow_shared(pipeline_gemm<kStages>, 80 * 1024);
  pipeline_gemm<kStages><<<dim3(24, 24), 256, shared>>>(1536, data.x, data.y, data.out);
}

template <int kMinBlocks>
static void launch_d2q9() {
  d2q9_step<kMinBlocks><<<dim3(2048 / 256, 2048), 256>>>(2048, 2048, 1.2f, data.x, data.out);
}

static void launch_gelu(int blocks, int block) {
  gelu_bias<<<blocks, block>>>(1 << 24, 2048, reinterpret_cast<half2*>(data.halves),
                               reinterpret_cast<half2*>(data.halves),
                               reinterpret_cast<half2*>(data.out));
}

static std::vector<Launch> held_out() {
  const int sms = 132;
  return {
      {"scan_tiles_b256", "scan", "2^25 words, 4 a thread, 256 threads", launch_scan_tiles<256>},
      {"scan_tiles_b1024", "scan", "2^25 words, 4 a thread, 1024 threads", launch_scan_tiles<1024>,
       "scan_tiles_b256"},
      {"scan_grid", "scan", "2^23 words, reduce then scan, 132*4 blocks of 256, cooperative",
       launch_scan_grid},
      {"bitonic_b256", "sort", "2^22 keys, tiles of 2048, 256 threads", launch_bitonic<256>},
      {"bitonic_b1024", "sort", "2^22 keys, tiles of 2048, 1024 threads", launch_bitonic<1024>,
       "bitonic_b256"},
      {"radix_count_block", "sort", "2^25 keys, 8-bit digit, one histogram a block",
       launch_radix_count<1>},
      {"radix_count_warp", "sort", "2^25 keys, 8-bit digit, one histogram a warp",
       launch_radix_count<8>, "radix_count_block"},
      {"bfs_thread_b256", "graph", "2^18 of 2^20 skewed vertices, one thread each",
       [] { launch_bfs_thread(256, data.frontiers[0]); }},
      {"bfs_thread_b64", "graph", "the same, 64 threads a block",
       [] { launch_bfs_thread(64, data.frontiers[1]); }, "bfs_thread_b256"},
      {"bfs_warp", "graph", "2^14 of 2^20 skewed vertices, one warp each",
       [] { launch_bfs_warp(data.frontiers[2]); }},
      {"fft_radix2_sincos", "fft", "8192 of 1024 points, sincosf",
       [] {
         fft_radix2<<<8192, 256>>>(reinterpret_cast<float2*>(data.x),
                                   reinterpret_cast<float2*>(data.out));
       }},
      {"fft_radix4", "fft", "8192 of 1024 points, table in shared memory",
       [] { launch_fft_radix4(0); }},
      {"fft_radix4_smem60k", "fft", "the same, 60 KB more shared memory a block",
       [] { launch_fft_radix4(60 * 1024); }, "fft_radix4"},
      {"black_scholes_b128", "options", "2^23 options, 128 threads",
       [] { launch_black_scholes(128); }},
      {"black_scholes_b384", "options", "2^23 options, 384 threads",
       [] { launch_black_scholes(384); }, "black_scholes_b128"},
      {"monte_carlo", "options", "132*8 blocks of 192, 16 paths of 32 steps a thread",
       [] { launch_monte_carlo(0); }},
      {"monte_carlo_smem100k", "options", "the same, 100 KB of shared memory a block",
       [] { launch_monte_carlo(100 * 1024); }, "monte_carlo"},
      {"conv_direct3", "conv", "4096 x 4096, 3 x 3, 32 x 4 threads",
       [] { conv_direct<1><<<dim3(128, 1024), dim3(32, 4)>>>(4096, data.x, data.out); }},
      {"conv_tiled5_b256", "conv", "4096 x 4096, 5 x 5, shared tile, 32 x 8 threads",
       launch_conv_tiled<8>},
      {"conv_tiled5_b512", "conv", "4096 x 4096, 5 x 5, shared tile, 32 x 16 threads",
       launch_conv_tiled<16>, "conv_tiled5_b256"},
      {"attention_fp32", "attention", "32 heads of 1024 x 64, one query a thread, 128 threads",
       launch_attention_fp32},
      {"attention_wmma_unpadded", "attention", "32 heads of 1024 x 64, fp16",
       launch_attention_wmma<0>},
      {"attention_wmma_padded", "attention", "the same, shared rows padded by 8",
       launch_attention_wmma<8>, "attention_wmma_unpadded"},
      {"gemv_warp", "gemv", "4100 x 4096, warp a row, 256 threads", launch_gemv_warp},
      {"gemv_block_b128", "gemv", "16,384 x 4096, block of 128 a row", launch_gemv_block<128>},
      {"gemv_block_b512", "gemv", "16,384 x 4096, block of 512 a row", launch_gemv_block<512>,
       "gemv_block_b128"},
      {"hash_insert", "hashing", "2^21 keys into 2^23 slots, 256 threads",
       [] {
         hash_insert<<<kHashKeys / 256, 256>>>(kHashKeys, data.keys, (1u << 23) - 1,
                                               data.tables[0].slots, data.tables[0].values);
       }},
      {"hash_lookup_half", "hashing", "2^22 lookups in 2^22 slots, half of them taken, 96 threads",
       [] { launch_hash_lookup(data.tables[1]); }},
      {"hash_lookup_three_quarters", "hashing", "the same, three quarters of the slots taken",
       [] { launch_hash_lookup(data.tables[2]); }, "hash_lookup_half"},
      {"nw_matrix_unpadded", "alignment", "1584 pairs of 128 letters, matrix in shared memory",
       launch_nw_matrix<0>},
      {"nw_matrix_padded", "alignment", "the same, rows padded by one", launch_nw_matrix<1>,
       "nw_matrix_unpadded"},
      {"embedding_128", "embedding", "32,768 bags of 32 of 2^19 rows of 128 floats",
       [] { launch_embedding<128>(1u << 19); }},
      {"embedding_128_l2", "embedding", "the same, 2^14 rows",
       [] { launch_embedding<128>(1u << 14); }, "embedding_128"},
      {"embedding_256", "embedding", "the same, 2^19 rows of 256 floats",
       [] { launch_embedding<256>(1u << 19); }, "embedding_128"},
      {"image_lut", "image", "2^26 bytes, 16 a thread, 512 threads",
       [] {
         const int n16 = (1 << 26) / 16;
         image_lut<<<n16 / 512, 512>>>(n16, reinterpret_cast<uint4*>(data.bytes), data.bytes,
                                       reinterpret_cast<uint4*>(data.out));
       }},
      {"image_box3", "image", "4096 x 4096 bytes, 3 x 3", launch_image_box<1>},
      {"image_box7", "image", "4096 x 4096 bytes, 7 x 7", launch_image_box<3>, "image_box3"},
      {"pipeline_gemm_2", "pipeline", "1536^3, two stages", [] { launch_pipeline_gemm<2>(0); }},
      {"pipeline_gemm_4", "pipeline", "1536^3, four stages", [] { launch_pipeline_gemm<4>(0); },
       "pipeline_gemm_2"},
      {"pipeline_gemm_2_smem80k", "pipeline", "1536^3, two stages, 80 KB more shared memory",
       [] { launch_pipeline_gemm<2>(80 * 1024); }, "pipeline_gemm_2"},
      {"stencil7_fp64", "lbm3d", "256^3 doubles, 64 x 4 threads, 32 planes each",
       [] {
         stencil7_fp64<<<dim3(4, 64, 8), dim3(64, 4)>>>(256, 32, data.field,
                                                        reinterpret_cast<double*>(data.out));
       }},
      {"d2q9_step", "lbm3d", "2048 x 2048, 256 threads", launch_d2q9<1>},
      {"d2q9_step_32_registers", "lbm3d", "the same, bounded to 8 blocks an SM", launch_d2q9<8>,
       "d2q9_step"},
      {"gelu_b256", "activation", "2^25 halves, 132*8 blocks of 256",
       [=] { launch_gelu(sms * 8, 256); }},
      {"gelu_b1024", "activation", "2^25 halves, 132*2 blocks of 1024",
       [=] { launch_gelu(sms * 2, 1024); }, "gelu_b256"},
      {"gelu_133", "activation", "2^25 halves, 133*8 blocks of 256",
       [=] { launch_gelu(133 * 8, 256); }, "gelu_b256"},
  };
}

int main(int argc, char** argv) {
  return profile_launches(argc, argv, held_out(), prepare);
}
