// Application-like kernels to develop against, of families that neither `apps` nor `apps_held_out`
// has, each launched once under a stable name; see profiled.cuh for the arguments.
#include <cooperative_groups.h>

#include <random>

#include "common.cuh"
#include "profiled.cuh"

// ---------------------------------------------------------------- lookup

// Lower bound of each query, scaled into the range of the table.
__global__ void binary_search(int n, const unsigned* queries, int size, const unsigned* sorted,
                              int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const unsigned query = __umulhi(queries[i], sorted[size - 1]);
  int low = 0;
  int length = size;
  while (length > 1) {
    const int half = length / 2;
    low += sorted[low + half - 1] < query ? half : 0;
    length -= half;
  }
  out[i] = low + (sorted[low] < query ? 1 : 0);
}

// ---------------------------------------------------------------- ray tracing

constexpr int kSpheres = 64;

__constant__ float4 spheres[kSpheres];  // centre and radius

__device__ __forceinline__ float dot3(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ __forceinline__ float3 along(float3 origin, float t, float3 direction) {
  return make_float3(origin.x + t * direction.x, origin.y + t * direction.y,
                     origin.z + t * direction.z);
}

// Mirrors among spheres: a ray ends when it meets none or after `bounces` reflections.
__global__ void raytrace(int width, int height, int bounces, float* image) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) {
    return;
  }
  float3 origin = make_float3(0.0f, 0.0f, -3.0f);
  float3 direction = make_float3(2.0f * px / width - 1.0f, 2.0f * py / height - 1.0f, 1.5f);
  const float scale = rsqrtf(dot3(direction, direction));
  direction = make_float3(direction.x * scale, direction.y * scale, direction.z * scale);
  float light = 0.0f;
  float weight = 1.0f;
  for (int b = 0; b <= bounces; ++b) {
    float nearest = 1e30f;
    int hit = -1;
    for (int s = 0; s < kSpheres; ++s) {
      const float4 sphere = spheres[s];
      const float3 to = make_float3(sphere.x - origin.x, sphere.y - origin.y, sphere.z - origin.z);
      const float middle = dot3(to, direction);
      const float inside = middle * middle - dot3(to, to) + sphere.w * sphere.w;
      if (inside > 0.0f) {
        const float t = middle - sqrtf(inside);
        if (t > 1e-3f && t < nearest) {
          nearest = t;
          hit = s;
        }
      }
    }
    if (hit < 0) {
      light += weight * (0.5f + 0.5f * direction.y);
      break;
    }
    origin = along(origin, nearest, direction);
    const float4 sphere = spheres[hit];
    const float inverse = 1.0f / sphere.w;
    const float3 normal =
        make_float3((origin.x - sphere.x) * inverse, (origin.y - sphere.y) * inverse,
                    (origin.z - sphere.z) * inverse);
    light += weight * 0.2f * fmaxf(normal.y, 0.0f);
    weight *= 0.7f;
    direction = along(direction, -2.0f * dot3(normal, direction), normal);
  }
  image[py * width + px] = light;
}

// ---------------------------------------------------------------- BLAS 1 in double

__device__ __forceinline__ double block_sum_fp64(double value) {
  __shared__ double partial[32];
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, step);
  }
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = value;
  }
  __syncthreads();
  double total = 0.0;
  if (threadIdx.x == 0) {
    for (int w = 0; w < blockDim.x / 32; ++w) {
      total += partial[w];
    }
  }
  return total;
}

__global__ void ddot(int n, const double* x, const double* y, double* partial) {
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i] * y[i];
  }
  const double total = block_sum_fp64(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
  }
}

__global__ void dnrm2(int n2, const double2* x, double* partial) {
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n2; i += gridDim.x * blockDim.x) {
    const double2 v = x[i];
    sum += v.x * v.x + v.y * v.y;
  }
  const double total = block_sum_fp64(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sqrt(total);
  }
}

__global__ void daxpy(int n, double a, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

// ---------------------------------------------------------------- CRC

// CRC-32 of one message of 256 bytes per thread, a table in shared memory.
__global__ void crc32_messages(int n, const uint4* messages, unsigned* out) {
  __shared__ unsigned table[256];
  for (int t = threadIdx.x; t < 256; t += blockDim.x) {
    unsigned entry = t;
    for (int bit = 0; bit < 8; ++bit) {
      entry = entry >> 1 ^ (entry & 1u ? 0xedb88320u : 0u);
    }
    table[t] = entry;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned crc = 0xffffffffu;
  for (int k = 0; k < 16; ++k) {
    const uint4 v = messages[i * 16 + k];
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int w = 0; w < 4; ++w) {
#pragma unroll
      for (int byte = 0; byte < 4; ++byte) {
        crc = crc >> 8 ^ table[(crc ^ words[w] >> 8 * byte) & 255u];
      }
    }
  }
  out[i] = ~crc;
}

// ---------------------------------------------------------------- clusters

// Sums of 256 columns. Each block adds 32 rows at a time; its cluster then adds the blocks' sums
// through distributed shared memory, every block a share of the columns.
template <int kCluster>
__global__ void __cluster_dims__(kCluster, 1, 1)
    cluster_column_sums(int chunks, const float* in, float* out) {
  __shared__ float sums[256];
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  constexpr int kShare = 256 / kCluster;
  const int rank = cluster.block_rank();
  const int cluster_id = blockIdx.x / kCluster;
  for (int c = 0; c < chunks; ++c) {
    const float* rows = in + (blockIdx.x * chunks + c) * 32 * 256;
    float sum = 0.0f;
#pragma unroll 8
    for (int r = 0; r < 32; ++r) {
      sum += rows[r * 256 + threadIdx.x];
    }
    sums[threadIdx.x] = sum;
    cluster.sync();
    if (threadIdx.x < kShare) {
      const int column = rank * kShare + threadIdx.x;
      float total = 0.0f;
#pragma unroll
      for (int b = 0; b < kCluster; ++b) {
        total += cluster.map_shared_rank(sums, b)[column];
      }
      out[(cluster_id * chunks + c) * 256 + column] = total;
    }
    cluster.sync();
  }
}

// ---------------------------------------------------------------- batched

// One 16 x 16 product per block of 256 threads.
__global__ void batched_multiply(const float* a, const float* b, float* c) {
  __shared__ float a_tile[16][16];
  __shared__ float b_tile[16][16];
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  a_tile[y][x] = a[blockIdx.x * 256 + threadIdx.x];
  b_tile[y][x] = b[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    sum += a_tile[y][k] * b_tile[k][x];
  }
  c[blockIdx.x * 256 + threadIdx.x] = sum;
}

// LU without pivots of one 32 x 32 matrix per block of 128 threads, a lane a row: unpadded, a
// column lies in one pair of banks.
template <int kPad>
__global__ void batched_lu(const double* in, double* out) {
  __shared__ double matrix[32][32 + kPad];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 1024; i += 128) {
    const int row = i / 32;
    const int column = i % 32;
    matrix[row][column] = in[blockIdx.x * 1024 + i] + (row == column ? 32.0 : 0.0);
  }
  __syncthreads();
  for (int k = 0; k < 31; ++k) {
    if (warp == 0 && lane > k) {
      matrix[lane][k] /= matrix[k][k];
    }
    __syncthreads();
    if (lane > k) {
      const double factor = matrix[lane][k];
      for (int column = k + 1 + warp; column < 32; column += 4) {
        matrix[lane][column] -= factor * matrix[k][column];
      }
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < 1024; i += 128) {
    out[blockIdx.x * 1024 + i] = matrix[i / 32][i % 32];
  }
}

// ---------------------------------------------------------------- straight-line code

// kSteps different steps in a row: the size of the code grows with them.
template <int kSteps>
__global__ void __launch_bounds__(256) unrolled_body(int rounds, float a, float* out) {
  float x[8];
  unsigned h = threadIdx.x + blockIdx.x;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    x[j] = threadIdx.x + j;
  }
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        x[j] = fmaf(x[j], a, x[(j + s) % 8] * a + 0.01f * s);
      }
      h = h * 1664525u + (s * 7919u ^ h >> 13);
    }
  }
  float sum = h * 1e-9f;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    sum += x[j];
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// 96 live values per thread; bounded to four blocks an SM they do not fit in registers.
template <int kMinBlocks>
__global__ void __launch_bounds__(256, kMinBlocks)
    unrolled_values(int rounds, float a, const float* in, float* out) {
  constexpr int kValues = 96;
  const int threads = gridDim.x * 256;
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v[kValues];
#pragma unroll
  for (int k = 0; k < kValues; ++k) {
    v[k] = in[k * threads + i];
  }
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      v[k] = fmaf(v[k], a, v[(k * 7 + 29) % kValues]);
    }
  }
#pragma unroll
  for (int k = 0; k < kValues; ++k) {
    out[k * threads + i] = v[k];
  }
}

// ---------------------------------------------------------------- compaction

// One atomic per kept element. The lane's own step keeps the compiler from joining them, but for
// warps that keep all.
__global__ void compact_threads(int n, const unsigned* in, const unsigned* steps, unsigned* out,
                                unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned step = steps[threadIdx.x % 32];
  if (i < n) {
    const unsigned value = in[i];
    if (value & 1u) {
      out[atomicAdd(count, step)] = value;
    }
  }
}

// The same with one atomic per warp.
__global__ void compact_warps(int n, const unsigned* in, const unsigned* steps, unsigned* out,
                              unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const unsigned step = steps[lane];
  const unsigned value = i < n ? in[i] : 0u;
  const unsigned kept = __ballot_sync(0xffffffffu, value & 1u);
  unsigned base = 0;
  if (lane == 0 && kept != 0u) {
    base = atomicAdd(count, __popc(kept) * step);
  }
  base = __shfl_sync(0xffffffffu, base, 0);
  if (value & 1u) {
    out[base + __popc(kept & ((1u << lane) - 1))] = value;
  }
}

// ---------------------------------------------------------------- host

struct Data {
  float* x;
  float* out;
  unsigned* keys;
  unsigned* sorted;
  double* dx;
  double* dy;
  double* axpy_y;
  double* dout;
  unsigned* ones;
  unsigned* counts;
};

static Data data;

constexpr int kSortedSize = 1 << 26;

__device__ __forceinline__ unsigned scramble(unsigned i) {
  unsigned h = i * 2654435761u + 24680u;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

__global__ void develop_fill_singles(size_t n, float* x, unsigned* keys) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    const unsigned h = scramble(unsigned(i));
    x[i] = (h >> 8) * (1.0f / 16777216.0f);
    keys[i] = h;
  }
}

__global__ void develop_fill_doubles(size_t n, double* x, double* y, double* z) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    x[i] = scramble(unsigned(i)) * (1.0 / 4294967296.0);
    y[i] = scramble(unsigned(i) + 1000003u) * (1.0 / 4294967296.0);
    z[i] = y[i];
  }
}

__global__ void develop_fill_sorted(unsigned n, unsigned* sorted) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sorted[i] = i * 61u + scramble(i) % 61u;
  }
}

static void prepare() {
  const size_t n = 1u << 26;
  const size_t doubles = 1u << 24;
  data.x = device_alloc<float>(n);
  data.out = device_alloc<float>(n);
  data.keys = device_alloc<unsigned>(n);
  data.sorted = device_alloc<unsigned>(kSortedSize);
  data.dx = device_alloc<double>(doubles);
  data.dy = device_alloc<double>(doubles);
  data.axpy_y = device_alloc<double>(doubles);
  data.dout = device_alloc<double>(doubles);
  data.ones = device_alloc<unsigned>(32);
  data.counts = device_alloc<unsigned>(2 * 32);
  develop_fill_singles<<<1056, 256>>>(n, data.x, data.keys);
  develop_fill_doubles<<<1056, 256>>>(doubles, data.dx, data.dy, data.axpy_y);
  develop_fill_sorted<<<1056, 256>>>(kSortedSize, data.sorted);
  const std::vector<unsigned> ones(32, 1u);
  CHECK(cudaMemcpy(data.ones, ones.data(), 32 * 4, cudaMemcpyHostToDevice));
  std::mt19937 engine(5);
  const auto uniform = [&] { return engine() % 10000 / 10000.0f; };
  std::vector<float4> scene(kSpheres);
  for (float4& sphere : scene) {
    const float x = 4.0f * uniform() - 2.0f;
    const float y = 4.0f * uniform() - 2.0f;
    const float z = 4.0f * uniform();
    sphere = make_float4(x, y, z, 0.15f + 0.35f * uniform());
  }
  CHECK(cudaMemcpyToSymbol(spheres, scene.data(), kSpheres * sizeof(float4)));
  CHECK(cudaDeviceSynchronize());
}

static void launch_binary_search(int block, int size) {
  const int n = 1 << 21;
  binary_search<<<n / block, block>>>(n, data.keys, size, data.sorted,
                                      reinterpret_cast<int*>(data.out));
}

static void launch_raytrace(dim3 block) {
  const dim3 grid((1000 + block.x - 1) / block.x, (1000 + block.y - 1) / block.y);
  raytrace<<<grid, block>>>(1000, 1000, 4, data.out);
}

static void launch_dnrm2(int blocks) {
  dnrm2<<<blocks, 512>>>(1 << 23, reinterpret_cast<double2*>(data.dx), data.dout);
}

static void launch_crc32(int shared) {
  CHECK(cudaFuncSetAttribute(crc32_messages, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             100 * 1024));
  const int n = 1 << 18;
  crc32_messages<<<(n + 191) / 192, 192, shared>>>(n, reinterpret_cast<uint4*>(data.keys),
                                                   reinterpret_cast<unsigned*>(data.out));
}

template <int kCluster>
static void launch_cluster() {
  cluster_column_sums<kCluster><<<1024, 256>>>(8, data.x, data.out);
}

template <int kPad>
static void launch_batched_lu() {
  batched_lu<kPad><<<133 * 32, 128>>>(data.dx, data.dout);
}

template <int kSteps>
static void launch_unrolled_body() {
  unrolled_body<kSteps><<<132 * 4, 256>>>(2048 / kSteps, 0.499f, data.out);
}

template <int kMinBlocks>
static void launch_unrolled_values() {
  unrolled_values<kMinBlocks><<<133 * 4, 256>>>(8, 0.25f, data.x, data.out);
}

static std::vector<Launch> develop() {
  const int sms = 132;
  const int doubles = 1 << 24;
  const int words = 1 << 20;
  return {
      {"binary_search_l2", "lookup", "2^21 queries in 2^21 words, 256 threads",
       [] { launch_binary_search(256, 1 << 21); }},
      {"binary_search_dram", "lookup", "2^21 queries in 2^26 words, 256 threads",
       [] { launch_binary_search(256, kSortedSize); }, "binary_search_l2"},
      {"binary_search_l2_b1024", "lookup", "2^21 queries in 2^21 words, 1024 threads",
       [] { launch_binary_search(1024, 1 << 21); }, "binary_search_l2"},
      {"raytrace_b256", "raytrace", "1000 x 1000, 64 spheres, 4 bounces, 16 x 16 threads",
       [] { launch_raytrace(dim3(16, 16)); }},
      {"raytrace_b64", "raytrace", "1000 x 1000, 64 spheres, 4 bounces, 16 x 4 threads",
       [] { launch_raytrace(dim3(16, 4)); }, "raytrace_b256"},
      {"ddot", "blas1", "n=2^24, 132*8 blocks of 256",
       [=] { ddot<<<sms * 8, 256>>>(doubles, data.dx, data.dy, data.dout); }},
      {"dnrm2", "blas1", "n=2^24, 132*4 blocks of 512", [=] { launch_dnrm2(sms * 4); }},
      {"dnrm2_one_block", "blas1", "n=2^24, 132 blocks of 512", [=] { launch_dnrm2(sms); },
       "dnrm2"},
      {"daxpy", "blas1", "n=2^24, 128 threads a block",
       [=] { daxpy<<<doubles / 128, 128>>>(doubles, 0.5, data.dx, data.axpy_y); }},
      {"crc32", "crc", "2^18 messages of 256 bytes, 192 threads", [] { launch_crc32(0); }},
      {"crc32_smem100k", "crc", "the same, 100 KB of shared memory a block",
       [] { launch_crc32(100 * 1024); }, "crc32"},
      {"cluster_sums_2", "cluster", "2^18 x 256 columns, 1024 blocks, clusters of 2",
       launch_cluster<2>},
      {"cluster_sums_8", "cluster", "2^18 x 256 columns, 1024 blocks, clusters of 8",
       launch_cluster<8>, "cluster_sums_2"},
      {"batched_multiply", "batched", "65,536 products of 16 x 16",
       [] { batched_multiply<<<65536, 256>>>(data.x, data.x + (1 << 24), data.out); }},
      {"batched_lu_unpadded", "batched", "133*32 LU of 32 x 32 doubles", launch_batched_lu<0>},
      {"batched_lu_padded", "batched", "the same, rows padded by one", launch_batched_lu<1>,
       "batched_lu_unpadded"},
      {"unrolled_body_32", "unrolled", "132*4 blocks of 256, 64 rounds of 32 steps",
       launch_unrolled_body<32>},
      {"unrolled_body_512", "unrolled", "132*4 blocks of 256, 4 rounds of 512 steps",
       launch_unrolled_body<512>, "unrolled_body_32"},
      {"unrolled_values", "unrolled", "133*4 blocks of 256, 96 values a thread, 8 rounds",
       launch_unrolled_values<1>},
      {"unrolled_values_spilling", "unrolled", "the same, bounded to four blocks an SM",
       launch_unrolled_values<4>, "unrolled_values"},
      {"compact_threads", "compaction", "2^20 words, half kept, an atomic each",
       [=] {
         compact_threads<<<words / 256, 256>>>(words, data.keys, data.ones,
                                               reinterpret_cast<unsigned*>(data.out), data.counts);
       }},
      {"compact_warps", "compaction", "2^20 words, half kept, an atomic a warp",
       [=] {
         compact_warps<<<words / 256, 256>>>(
             words, data.keys, data.ones, reinterpret_cast<unsigned*>(data.out), data.counts + 32);
       },
       "compact_threads"},
  };
}

int main(int argc, char** argv) {
  return profile_launches(argc, argv, develop(), prepare);
}
