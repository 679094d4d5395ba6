// Application-like kernels, each launched once under a stable name, for full profiles with Nsight
// Compute. `apps` runs all of them; `apps NAME...` some; `apps --list` prints name, family and
// problem.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <random>

#include "common.cuh"
#include "profiled.cuh"

// ---------------------------------------------------------------- streaming

template <int kBlock>
__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void saxpy_float4(int n4, float a, const float4* x, float4* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) {
    const float4 u = x[i];
    float4 v = y[i];
    v.x = a * u.x + v.x;
    v.y = a * u.y + v.y;
    v.z = a * u.z + v.z;
    v.w = a * u.w + v.w;
    y[i] = v;
  }
}

__global__ void saxpy_grid_stride(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void triad(int n, float s, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + s * b[i];
  }
}

__global__ void copy_l2_resident(int n, int rounds, const float* x, float* y) {
  for (int r = 0; r < rounds; ++r) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      y[i] = x[i] + r;
    }
  }
}

// ---------------------------------------------------------------- reductions

__global__ void block_reduce(int n, const float* x, float* out) {
  __shared__ float partial[256];
  const int i = blockIdx.x * 512 + threadIdx.x;
  float sum = i < n ? x[i] : 0.0f;
  sum += i + 256 < n ? x[i + 256] : 0.0f;
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      partial[threadIdx.x] += partial[threadIdx.x + step];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = partial[0];
  }
}

__device__ __forceinline__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, step);
  }
  return value;
}

__global__ void warp_reduce(int n, const float* x, float* out) {
  __shared__ float partial[8];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i];
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < 8 ? partial[threadIdx.x] : 0.0f;
    sum = warp_sum(sum);
    if (threadIdx.x == 0) {
      atomicAdd(out, sum);
    }
  }
}

__device__ unsigned int blocks_done = 0;

__global__ void last_block_reduce(int n, const float* x, float* partial, float* out) {
  __shared__ float shared[8];
  __shared__ bool last;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i];
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int w = 0; w < 8; ++w) {
      total += shared[w];
    }
    partial[blockIdx.x] = total;
    __threadfence();
    last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    float total = 0.0f;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
      total += reinterpret_cast<volatile float*>(partial)[i];
    }
    total = warp_sum(total);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(out, total);
    }
    blocks_done = 0;
  }
}

// ---------------------------------------------------------------- transpose

__global__ void transpose_naive(int n, const float* in, float* out) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    out[x * n + y + j] = in[(y + j) * n + x];
  }
}

template <int kPad>
__device__ __forceinline__ void transpose_tile(int n, const float* in, float* out) {
  __shared__ float tile[32][32 + kPad];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

__global__ void transpose_shared_conflicts(int n, const float* in, float* out) {
  transpose_tile<0>(n, in, out);
}

__global__ void transpose_shared_padded(int n, const float* in, float* out) {
  transpose_tile<1>(n, in, out);
}

// ---------------------------------------------------------------- matrix products

__global__ void sgemm_naive(int n, const float* a, const float* b, float* c) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    sum += a[row * n + k] * b[k * n + col];
  }
  c[row * n + col] = sum;
}

template <int kTile>
__global__ void sgemm_tiled(int n, const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + k0 + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// 64 x 64 tile per block of 256 threads, 4 x 4 results per thread.
__global__ void sgemm_register_tiled(int n, const float* a, const float* b, float* c) {
  __shared__ float a_tile[16][64];
  __shared__ float b_tile[16][64];
  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
    {
      const int row = threadIdx.x / 4;
      const int k = threadIdx.x % 4 * 4;
      const float4 v = *reinterpret_cast<const float4*>(&a[(blockIdx.y * 64 + row) * n + k0 + k]);
      a_tile[k][row] = v.x;
      a_tile[k + 1][row] = v.y;
      a_tile[k + 2][row] = v.z;
      a_tile[k + 3][row] = v.w;
      const int brow = threadIdx.x / 16;
      const int bcol = threadIdx.x % 16 * 4;
      *reinterpret_cast<float4*>(&b_tile[brow][bcol]) =
          *reinterpret_cast<const float4*>(&b[(k0 + brow) * n + blockIdx.x * 64 + bcol]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 av = *reinterpret_cast<const float4*>(&a_tile[k][ty * 4]);
      const float4 bv = *reinterpret_cast<const float4*>(&b_tile[k][tx * 4]);
      const float ar[4] = {av.x, av.y, av.z, av.w};
      const float br[4] = {bv.x, bv.y, bv.z, bv.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j] += ar[i] * br[j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    *reinterpret_cast<float4*>(&c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4]) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
  }
}

// Each warp makes a 32 x 32 tile of C with 16 x 16 x 16 fragments straight from global memory.
__global__ void hmma_matmul(int n, const half* a, const half* b, float* c) {
  using namespace nvcuda;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int tiles = n / 32;
  const int row = warp / tiles * 32;
  const int col = warp % tiles * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      wmma::fill_fragment(acc[i][j], 0.0f);
    }
  }
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> af[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> bf[2];
    for (int i = 0; i < 2; ++i) {
      wmma::load_matrix_sync(af[i], a + (row + i * 16) * n + k, n);
      wmma::load_matrix_sync(bf[i], b + k * n + col + i * 16, n);
    }
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        wmma::mma_sync(acc[i][j], af[i], bf[j], acc[i][j]);
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      wmma::store_matrix_sync(c + (row + i * 16) * n + col + j * 16, acc[i][j], n,
                              wmma::mem_row_major);
    }
  }
}

// ---------------------------------------------------------------- histograms, gathers

__global__ void histogram_global(int n, const unsigned* keys, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[keys[i] % 256], 1u);
  }
}

__global__ void histogram_shared(int n, const unsigned* keys, unsigned* bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[keys[i] % 256], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void gather_dram(int n, const unsigned* index, const float* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = table[index[i] & 0x7ffffff];
  }
}

__global__ void gather_l2(int n, const unsigned* index, const float* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = table[index[i] & 0x1fffff];
  }
}

__global__ void linked_lists(int steps, const unsigned* next, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = i * 97u;
  for (int s = 0; s < steps; ++s) {
    at = next[at & 0x7ffffff];
  }
  out[i] = at;
}

// ---------------------------------------------------------------- stencil, softmax, layernorm,
// SpMV

__global__ void stencil_2d(int n, const float* in, float* out) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const int i = y * n + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]) - in[i];
  }
}

__global__ void stencil_shared(int n, const float* in, float* out) {
  __shared__ float tile[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  const int i = y * n + x;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  tile[ty][tx] = in[i];
  if (threadIdx.x == 0 && x > 0) {
    tile[ty][0] = in[i - 1];
  }
  if (threadIdx.x == 31 && x < n - 1) {
    tile[ty][33] = in[i + 1];
  }
  if (threadIdx.y == 0 && y > 0) {
    tile[0][tx] = in[i - n];
  }
  if (threadIdx.y == 7 && y < n - 1) {
    tile[9][tx] = in[i + n];
  }
  __syncthreads();
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    out[i] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]) -
             tile[ty][tx];
  }
}

// One block of 256 threads per row.
__device__ __forceinline__ float block_sum(float value, float* shared) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = value;
  }
  __syncthreads();
  float total = 0.0f;
  for (int w = 0; w < 8; ++w) {
    total += shared[w];
  }
  __syncthreads();
  return total;
}

__global__ void softmax_rows(int columns, const float* in, float* out) {
  __shared__ float shared[8];
  const float* row = in + blockIdx.x * columns;
  float largest = -1e30f;
  for (int i = threadIdx.x; i < columns; i += 256) {
    largest = fmaxf(largest, row[i]);
  }
  for (int step = 16; step > 0; step /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  }
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = largest;
  }
  __syncthreads();
  for (int w = 0; w < 8; ++w) {
    largest = fmaxf(largest, shared[w]);
  }
  __syncthreads();
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += 256) {
    sum += __expf(row[i] - largest);
  }
  const float scale = 1.0f / block_sum(sum, shared);
  for (int i = threadIdx.x; i < columns; i += 256) {
    out[blockIdx.x * columns + i] = __expf(row[i] - largest) * scale;
  }
}

__global__ void layernorm_rows(int columns, const float* in, const float* gamma, float* out) {
  __shared__ float shared[8];
  const float* row = in + blockIdx.x * columns;
  float sum = 0.0f;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < columns; i += 256) {
    const float v = row[i];
    sum += v;
    squares += v * v;
  }
  const float average = block_sum(sum, shared) / columns;
  const float variance = block_sum(squares, shared) / columns - average * average;
  const float scale = rsqrtf(variance + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += 256) {
    out[blockIdx.x * columns + i] = (row[i] - average) * scale * gamma[i];
  }
}

__global__ void spmv_csr_scalar(int rows, const int* start, const int* column, const float* value,
                                const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; ++k) {
      sum += value[k] * x[column[k]];
    }
    y[row] = sum;
  }
}

__global__ void spmv_csr_vector(int rows, const int* start, const int* column, const float* value,
                                const float* x, float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) {
      sum += value[k] * x[column[k]];
    }
    sum = warp_sum(sum);
    if (lane == 0) {
      y[row] = sum;
    }
  }
}

// ---------------------------------------------------------------- compute bound

__global__ void fma_dependent(int rounds, float a, float* out) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      x = x * a + a;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void fma_ilp8(int rounds, float a, float* out) {
  float x[8];
  for (int j = 0; j < 8; ++j) {
    x[j] = threadIdx.x + j;
  }
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        x[j] = x[j] * a + a;
      }
    }
  }
  float sum = 0.0f;
  for (int j = 0; j < 8; ++j) {
    sum += x[j];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void fp64_polynomial(int rounds, double a, double* out) {
  double x = threadIdx.x * 1e-6;
  double y = x + a;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      x = fma(x, y, a);
      y = fma(y, a, x);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

__global__ void mufu_heavy(int rounds, float a, float* out) {
  float x = threadIdx.x * 0.001f + a;
  float y = x + 0.5f;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      x = __expf(x) * a;
      y = __sinf(y) + rsqrtf(fabsf(y) + 1.0f);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

__global__ void integer_hash(int rounds, unsigned seed, unsigned* out) {
  unsigned h = blockIdx.x * blockDim.x + threadIdx.x + seed;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      h ^= h >> 16;
      h *= 0x85ebca6bu;
      h ^= h >> 13;
      h *= 0xc2b2ae35u;
      h ^= h >> 16;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = h;
}

__global__ void mandelbrot(int width, int height, int limit, unsigned* out) {
  const int px = blockIdx.x * 16 + threadIdx.x;
  const int py = blockIdx.y * 16 + threadIdx.y;
  const float cx = -2.0f + 3.0f * px / width;
  const float cy = -1.5f + 3.0f * py / height;
  float x = 0.0f;
  float y = 0.0f;
  int n = 0;
  while (n < limit && x * x + y * y < 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[py * width + px] = n;
}

__global__ void nbody(int n, const float4* body, float4* out) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 self = body[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int base = 0; base < n; base += 256) {
    tile[threadIdx.x] = body[base + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - self.x;
      const float dy = other.y - self.y;
      const float dz = other.z - self.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float weight = other.w * inverse * inverse * inverse;
      ax += dx * weight;
      ay += dy * weight;
      az += dz * weight;
    }
    __syncthreads();
  }
  out[i] = make_float4(ax, ay, az, 0.0f);
}

// ---------------------------------------------------------------- persistent queue

__device__ unsigned int next_task = 0;
__device__ unsigned int queue_leavers = 0;

// Each warp takes tasks until none is left; task t costs (hash of t) mod 64 rounds.
__global__ void persistent_queue(unsigned tasks, float a, float* out) {
  const int lane = threadIdx.x % 32;
  while (true) {
    unsigned task = 0;
    if (lane == 0) {
      task = atomicAdd(&next_task, 1u);
    }
    task = __shfl_sync(0xffffffffu, task, 0);
    if (task >= tasks) {
      break;
    }
    const int rounds = (task * 2654435761u >> 16) % 64 + 1;
    float x = lane + task;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        x = x * a + a;
      }
    }
    out[task * 32 + lane] = x;
  }
  if (lane == 0 && atomicAdd(&queue_leavers, 1u) == gridDim.x * (blockDim.x / 32) - 1) {
    next_task = 0;
    queue_leavers = 0;
  }
}

// The same tasks, one warp each, as an ordinary grid.
__global__ void static_tasks(unsigned tasks, float a, float* out) {
  const int lane = threadIdx.x % 32;
  const unsigned task = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (task >= tasks) {
    return;
  }
  const int rounds = (task * 2654435761u >> 16) % 64 + 1;
  float x = lane + task;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      x = x * a + a;
    }
  }
  out[task * 32 + lane] = x;
}

__global__ void grid_sync_jacobi(int n, int sweeps, float* a, float* b) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int s = 0; s < sweeps; ++s) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1;
         i += gridDim.x * blockDim.x) {
      b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    }
    grid.sync();
    float* t = a;
    a = b;
    b = t;
  }
}

// ---------------------------------------------------------------- host

struct Data {
  float* x;
  float* y;
  float* z;
  unsigned* keys;
  unsigned* small;
  int* row_start;
  int* column;
  int rows;
};

static Data data;

__global__ void fill_random(size_t n, float* x, unsigned* keys, unsigned mask) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    unsigned h = unsigned(i) * 2654435761u + 12345u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    h ^= h >> 15;
    if (x != nullptr) {
      x[i] = (h >> 8) * (1.0f / 16777216.0f);
    }
    if (keys != nullptr) {
      keys[i] = h & mask;
    }
  }
}

__global__ void fill_half(size_t n, half* x) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    x[i] = __float2half(float(i * 7919 % 1021) / 1021.0f - 0.5f);
  }
}

static void prepare() {
  const size_t n = 1u << 27;
  data.x = device_alloc<float>(n);
  data.y = device_alloc<float>(n);
  data.z = device_alloc<float>(n);
  data.keys = device_alloc<unsigned>(n);
  data.small = device_alloc<unsigned>(1 << 20);
  fill_random<<<1056, 256>>>(n, data.x, data.keys, 0xffffffffu);
  fill_random<<<1056, 256>>>(n, data.y, nullptr, 0);
  fill_half<<<1056, 256>>>(1 << 20, reinterpret_cast<half*>(data.small));
  // A skewed sparse matrix: row length 4 to 1,000, few rows are long.
  data.rows = 200000;
  std::vector<int> start(data.rows + 1, 0);
  std::mt19937 engine(7);
  for (int r = 0; r < data.rows; ++r) {
    const double u = (engine() % 1000000 + 1) / 1e6;
    start[r + 1] = start[r] + std::min(1000, int(4.0 / std::pow(u, 0.7)));
  }
  data.row_start = device_alloc<int>(data.rows + 1);
  CHECK(cudaMemcpy(data.row_start, start.data(), start.size() * 4, cudaMemcpyHostToDevice));
  data.column = device_alloc<int>(start.back());
  fill_random<<<1056, 256>>>(start.back(), nullptr, reinterpret_cast<unsigned*>(data.column),
                             0x3ffffu);
  CHECK(cudaDeviceSynchronize());
}

template <int kBlock>
static void launch_saxpy() {
  const int n = 1 << 26;
  saxpy<kBlock><<<n / kBlock, kBlock>>>(n, 2.0f, data.x, data.y);
}

static std::vector<Launch> apps() {
  const int n = 1 << 26;
  const int half_n = 1 << 25;
  const int sms = 132;
  const dim3 tile(32, 8);
  return {
      {"saxpy_b64", "streaming", "n=2^26, 64 threads a block", launch_saxpy<64>, "saxpy_b256"},
      {"saxpy_b128", "streaming", "n=2^26, 128 threads a block", launch_saxpy<128>, "saxpy_b256"},
      {"saxpy_b256", "streaming", "n=2^26, 256 threads a block", launch_saxpy<256>},
      {"saxpy_b512", "streaming", "n=2^26, 512 threads a block", launch_saxpy<512>, "saxpy_b256"},
      {"saxpy_b1024", "streaming", "n=2^26, 1024 threads a block", launch_saxpy<1024>,
       "saxpy_b256"},
      {"saxpy_b32", "streaming", "n=2^26, 32 threads a block", launch_saxpy<32>, "saxpy_b256"},
      {"saxpy_float4", "streaming", "n=2^26 as float4",
       [=] {
         saxpy_float4<<<n / 4 / 256, 256>>>(n / 4, 2.0f, reinterpret_cast<float4*>(data.x),
                                            reinterpret_cast<float4*>(data.y));
       },
       "saxpy_b256"},
      {"saxpy_grid_stride", "streaming", "n=2^26, 132*8 blocks",
       [=] { saxpy_grid_stride<<<sms * 8, 256>>>(n, 2.0f, data.x, data.y); }, "saxpy_b256"},
      {"triad", "streaming", "n=2^26",
       [=] { triad<<<n / 256, 256>>>(n, 3.0f, data.x, data.y, data.z); }},
      {"block_reduce", "reduction", "n=2^26, 512 elements a block",
       [=] { block_reduce<<<n / 512, 256>>>(n, data.x, data.z); }},
      {"warp_reduce", "reduction", "n=2^26, 132*8 blocks",
       [=] { warp_reduce<<<sms * 8, 256>>>(n, data.x, data.z); }},
      {"transpose_naive", "transpose", "4096 x 4096",
       [=] { transpose_naive<<<dim3(128, 128), tile>>>(4096, data.x, data.z); }},
      {"transpose_shared_conflicts", "transpose", "4096 x 4096",
       [=] { transpose_shared_conflicts<<<dim3(128, 128), tile>>>(4096, data.x, data.z); },
       "transpose_naive"},
      {"transpose_shared_padded", "transpose", "4096 x 4096",
       [=] { transpose_shared_padded<<<dim3(128, 128), tile>>>(4096, data.x, data.z); },
       "transpose_shared_conflicts"},
      {"sgemm_naive", "gemm", "512^3, 16 x 16 threads",
       [=] { sgemm_naive<<<dim3(32, 32), dim3(16, 16)>>>(512, data.x, data.y, data.z); }},
      {"sgemm_tiled16", "gemm", "1024^3, 16 x 16 tiles",
       [=] { sgemm_tiled<16><<<dim3(64, 64), dim3(16, 16)>>>(1024, data.x, data.y, data.z); }},
      {"sgemm_tiled32", "gemm", "1024^3, 32 x 32 tiles",
       [=] { sgemm_tiled<32><<<dim3(32, 32), dim3(32, 32)>>>(1024, data.x, data.y, data.z); },
       "sgemm_tiled16"},
      {"sgemm_register_tiled", "gemm", "1024^3, 64 x 64 tiles, 4 x 4 a thread",
       [=] { sgemm_register_tiled<<<dim3(16, 16), 256>>>(1024, data.x, data.y, data.z); }},
      {"hmma_matmul", "gemm", "1024^3 fp16, 32 x 32 a warp",
       [=] {
         hmma_matmul<<<1024 / 4, 128>>>(1024, reinterpret_cast<half*>(data.small),
                                        reinterpret_cast<half*>(data.small), data.z);
       }},
      {"histogram_global", "atomics", "2^22 keys, 256 bins",
       [=] { histogram_global<<<sms * 8, 256>>>(1 << 22, data.keys, data.small); }},
      {"histogram_shared", "atomics", "2^25 keys, 256 bins",
       [=] { histogram_shared<<<sms * 8, 256>>>(half_n, data.keys, data.small); }},
      {"gather_dram", "gather", "2^23 random reads of 512 MB",
       [=] { gather_dram<<<(1 << 23) / 256, 256>>>(1 << 23, data.keys, data.x, data.z); }},
      {"gather_l2", "gather", "2^23 random reads of 8 MB",
       [=] { gather_l2<<<(1 << 23) / 256, 256>>>(1 << 23, data.keys, data.x, data.z); },
       "gather_dram"},
      {"linked_lists", "gather", "67,584 chains of 64 dependent reads",
       [=] { linked_lists<<<sms * 2, 256>>>(64, data.keys, data.small); }},
      {"stencil_2d", "stencil", "8192 x 4096 of row length 8192",
       [=] { stencil_2d<<<dim3(256, 512), tile>>>(8192, data.x, data.z); }},
      {"stencil_shared", "stencil", "8192 x 4096 of row length 8192",
       [=] { stencil_shared<<<dim3(256, 512), tile>>>(8192, data.x, data.z); }, "stencil_2d"},
      {"softmax_rows", "rows", "8192 rows of 2048",
       [=] { softmax_rows<<<8192, 256>>>(2048, data.x, data.z); }},
      {"layernorm_rows", "rows", "8192 rows of 2048",
       [=] { layernorm_rows<<<8192, 256>>>(2048, data.x, data.y, data.z); }},
      {"spmv_csr_scalar", "sparse", "200,000 skewed rows, one thread a row",
       [=] {
         spmv_csr_scalar<<<(data.rows + 255) / 256, 256>>>(data.rows, data.row_start, data.column,
                                                           data.x, data.y, data.z);
       }},
      {"spmv_csr_vector", "sparse", "200,000 skewed rows, one warp a row",
       [=] {
         spmv_csr_vector<<<(data.rows + 7) / 8, 256>>>(data.rows, data.row_start, data.column,
                                                       data.x, data.y, data.z);
       },
       "spmv_csr_scalar"},
      {"fma_dependent", "compute", "132*4 blocks of 128, 64*64 dependent FMA",
       [=] { fma_dependent<<<sms * 4, 128>>>(64, 0.999f, data.z); }},
      {"fma_dependent_low_occupancy", "compute", "132 blocks of 128, 64*64 dependent FMA",
       [=] { fma_dependent<<<sms, 128>>>(64, 0.999f, data.z); }, "fma_dependent"},
      {"fma_ilp8", "compute", "132*8 blocks of 256, 8 chains",
       [=] { fma_ilp8<<<sms * 8, 256>>>(32, 0.999f, data.z); }},
      {"fp64_polynomial", "compute", "132*8 blocks of 256",
       [=] { fp64_polynomial<<<sms * 8, 256>>>(32, 0.25, reinterpret_cast<double*>(data.z)); }},
      {"mufu_heavy", "compute", "132*8 blocks of 256",
       [=] { mufu_heavy<<<sms * 8, 256>>>(32, 0.5f, data.z); }},
      {"integer_hash", "compute", "132*16 blocks of 256",
       [=] { integer_hash<<<sms * 16, 256>>>(64, 1, data.small); }},
      {"mandelbrot", "compute", "2048 x 2048, 256 iterations",
       [=] {
         mandelbrot<<<dim3(128, 128), dim3(16, 16)>>>(2048, 2048, 256,
                                                      reinterpret_cast<unsigned*>(data.z));
       }},
      {"nbody", "compute", "16,384 bodies",
       [=] {
         nbody<<<64, 256>>>(16384, reinterpret_cast<float4*>(data.x),
                            reinterpret_cast<float4*>(data.z));
       }},
      {"persistent_queue", "queue", "65,536 uneven tasks, 132*4 blocks of 256",
       [=] { persistent_queue<<<sms * 4, 256>>>(65536, 0.999f, data.z); }},
      {"static_tasks", "queue", "the same 65,536 tasks, one warp each",
       [=] { static_tasks<<<65536 / 8, 256>>>(65536, 0.999f, data.z); }, "persistent_queue"},
      {"last_block_reduce", "sync", "n=2^25, 132*8 blocks",
       [=] {
         last_block_reduce<<<sms * 8, 256>>>(half_n, data.x, data.z,
                                             reinterpret_cast<float*>(data.small));
       }},
      {"grid_sync_jacobi", "sync", "n=2^20, 16 sweeps, 132*4 blocks, cooperative",
       [=] {
         int length = 1 << 20;
         int sweeps = 16;
         void* arguments[] = {&length, &sweeps, &data.x, &data.y};
         CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sync_jacobi), dim3(sms * 4),
                                           dim3(256), arguments, 0, 0));
       }},
      {"saxpy_b256_smem50k", "streaming", "n=2^26, 50 KB of shared memory a block",
       [=] {
         CHECK(cudaFuncSetAttribute(saxpy<256>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    112 * 1024));
         saxpy<256><<<n / 256, 256, 50 * 1024>>>(n, 2.0f, data.x, data.y);
       },
       "saxpy_b256"},
      {"saxpy_b256_smem110k", "streaming", "n=2^26, 110 KB of shared memory a block",
       [=] { saxpy<256><<<n / 256, 256, 110 * 1024>>>(n, 2.0f, data.x, data.y); }, "saxpy_b256"},
      {"saxpy_small", "streaming", "n=2^20, 256 threads a block",
       [=] { saxpy<256><<<(1 << 20) / 256, 256>>>(1 << 20, 2.0f, data.x, data.y); }},
      {"saxpy_one_wave", "streaming", "n=132*2048, 256 threads a block",
       [=] { saxpy<256><<<sms * 8, 256>>>(sms * 2048, 2.0f, data.x, data.y); }},
      {"triad_b1024", "streaming", "n=2^26, 1024 threads a block",
       [=] { triad<<<n / 1024, 1024>>>(n, 3.0f, data.x, data.y, data.z); }, "triad"},
      {"warp_reduce_low_occupancy", "reduction", "n=2^26, 132*2 blocks",
       [=] { warp_reduce<<<sms * 2, 256>>>(n, data.x, data.z); }, "warp_reduce"},
      {"sgemm_tiled16_small", "gemm", "512^3, 16 x 16 tiles",
       [=] { sgemm_tiled<16><<<dim3(32, 32), dim3(16, 16)>>>(512, data.x, data.y, data.z); }},
      {"sgemm_register_tiled_2048", "gemm", "2048^3, 64 x 64 tiles, 4 x 4 a thread",
       [=] { sgemm_register_tiled<<<dim3(32, 32), 256>>>(2048, data.x, data.y, data.z); }},
      {"histogram_shared_one_block", "atomics", "2^25 keys, 256 bins, 132 blocks",
       [=] { histogram_shared<<<sms, 256>>>(half_n, data.keys, data.small); }, "histogram_shared"},
      {"linked_lists_full", "gather", "270,336 chains of 64 dependent reads",
       [=] { linked_lists<<<sms * 8, 256>>>(64, data.keys, data.small); }, "linked_lists"},
      {"softmax_rows_long", "rows", "2048 rows of 8192",
       [=] { softmax_rows<<<2048, 256>>>(8192, data.x, data.z); }},
      {"fma_dependent_full", "compute", "132*8 blocks of 256, 64*64 dependent FMA",
       [=] { fma_dependent<<<sms * 8, 256>>>(64, 0.999f, data.z); }, "fma_dependent"},
      {"mufu_low_occupancy", "compute", "132 blocks of 128",
       [=] { mufu_heavy<<<sms, 128>>>(32, 0.5f, data.z); }, "mufu_heavy"},
      {"integer_hash_low_occupancy", "compute", "132 blocks of 64",
       [=] { integer_hash<<<sms, 64>>>(64, 1, data.small); }, "integer_hash"},
      {"integer_hash_short_blocks", "compute", "132*64 blocks of 64, 1 round",
       [=] { integer_hash<<<sms * 64, 64>>>(1, 1, data.small); }},
      {"persistent_queue_one_block", "queue", "65,536 uneven tasks, 132 blocks of 256",
       [=] { persistent_queue<<<sms, 256>>>(65536, 0.999f, data.z); }, "persistent_queue"},
      {"persistent_queue_full", "queue", "65,536 uneven tasks, 132*8 blocks of 256",
       [=] { persistent_queue<<<sms * 8, 256>>>(65536, 0.999f, data.z); }, "persistent_queue"},
      {"copy_l2_resident", "streaming", "2 MB + 2 MB, 32 rounds",
       [=] { copy_l2_resident<<<sms * 8, 256>>>(1 << 19, 32, data.x, data.z); }},
  };
}

int main(int argc, char** argv) {
  return profile_launches(argc, argv, apps(), prepare);
}
