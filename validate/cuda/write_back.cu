// Dirty data in L2: kernels that store only, or read and write, buffers of several sizes. Run under
// ncu for dram__bytes_read.sum and dram__bytes_write.sum; the printed row n belongs to launch ID n.
#include "common.cuh"

__global__ void store_only(float4* out, uint64_t count) {
  for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += uint64_t(gridDim.x) * blockDim.x) {
    out[i] = make_float4(1.0f, 2.0f, 3.0f, float(i));
  }
}

__global__ void read_write(const float4* in, float4* out, uint64_t count) {
  for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += uint64_t(gridDim.x) * blockDim.x) {
    out[i] = in[i];
  }
}

__global__ void update(float4* data, uint64_t count) {
  for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += uint64_t(gridDim.x) * blockDim.x) {
    float4 value = data[i];
    value.x += 1.0f;
    data[i] = value;
  }
}

// Reads the buffer twice: the second pass hits as far as L2 holds the data.
__global__ void read_twice(const float4* in, float4* out, uint64_t count) {
  float sum = 0.0f;
  for (int pass = 0; pass < 2; ++pass) {
    for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += uint64_t(gridDim.x) * blockDim.x) {
      sum += __ldcg(&in[i]).x;
    }
  }
  if (sum == 1234.5f) {
    out[0].x = sum;
  }
}

int main() {
  const int sms = sm_count();
  float4* a = device_alloc<float4>((512ull << 20) / 16);
  float4* b = device_alloc<float4>((512ull << 20) / 16);
  std::printf("id,kernel,buffer_mb\n");
  int id = 0;
  for (uint64_t mb : {4, 8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 256, 512}) {
    const uint64_t count = (mb << 20) / 16;
    store_only<<<sms * 4, 512>>>(a, count);
    std::printf("%d,store_only,%d\n", id++, int(mb));
    read_write<<<sms * 4, 512>>>(a, b, count);
    std::printf("%d,read_write,%d\n", id++, int(mb));
    update<<<sms * 4, 512>>>(a, count);
    std::printf("%d,update,%d\n", id++, int(mb));
    read_twice<<<sms * 4, 512>>>(a, b, count);
    std::printf("%d,read_twice,%d\n", id++, int(mb));
    CHECK(cudaDeviceSynchronize());
  }
  return 0;
}
