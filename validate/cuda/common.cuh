// Shared helpers of the measuring programs: error checks, special registers, percentiles.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status_ = (call);                                                                  \
    if (status_ != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d: error: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

__device__ __forceinline__ uint64_t read_clock64() {
  uint64_t value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}

// Reads the clock only once `value` is there: the read is guarded by a predicate made from it. The
// guard also keeps it a CS2R; a bare read of %clock may become an S2UR, which reads some time after
// its issue.
__device__ __forceinline__ uint32_t read_clock_after(uint32_t value) {
  uint32_t now = 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0xdeadbeef; @p mov.u32 %0, %%clock; }"
               : "+r"(now)
               : "r"(value)
               : "memory");
  return now;
}

__device__ __forceinline__ uint32_t read_clock() {
  return read_clock_after(threadIdx.x);
}

__device__ __forceinline__ uint64_t read_globaltimer() {
  uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}

__device__ __forceinline__ uint32_t read_smid() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  return value;
}

__device__ __forceinline__ uint32_t read_warp_slot() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(value));
  return value;
}

// True in one thread of the whole grid, on the given SM. Launch plenty of blocks; the flag must be
// zero.
__device__ __forceinline__ bool claim_sm(uint32_t smid, uint32_t* flag) {
  if (threadIdx.x != 0) {
    return false;
  }
  if (read_smid() != smid) {
    const uint64_t begin = read_clock64();
    while (read_clock64() - begin < 5000) {
    }
    return false;
  }
  return atomicExch(flag, 1u) == 0;
}

inline double percentile(std::vector<double>& values, double percent) {
  if (values.empty()) {
    return 0.0;
  }
  const size_t rank = static_cast<size_t>(percent / 100.0 * (values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[rank];
}

inline double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (double value : values) {
    sum += value;
  }
  return values.empty() ? 0.0 : sum / values.size();
}

inline int sm_count() {
  int device = 0;
  int count = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

template <class T>
T* device_alloc(size_t count) {
  T* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, count * sizeof(T)));
  CHECK(cudaMemset(pointer, 0, count * sizeof(T)));
  return pointer;
}

template <class T>
std::vector<T> to_host(const T* pointer, size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
