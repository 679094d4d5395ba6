// Launch cost with clusters: the same empty grid at several cluster sizes, and cooperative. Run
// under ncu; the printed row n belongs to launch ID n.
#include "common.cuh"

__global__ void empty_cluster(int n, float* out) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n) {
    out[index] = 1.0f;
  }
}

int main() {
  const int sms = sm_count();
  float* out = device_alloc<float>(1024);
  CHECK(cudaFuncSetAttribute(empty_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  std::printf("id,cluster,grid,block\n");
  int id = 0;
  for (int cluster : {0, 1, 2, 4, 8, 16}) {
    for (int block : {128, 256, 1024}) {
      for (int waves : {4, 64, 128}) {
        cudaLaunchConfig_t config = {};
        config.gridDim = sms * waves / 16 * 16;
        config.blockDim = block;
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = cluster;
        attribute.val.clusterDim.y = 1;
        attribute.val.clusterDim.z = 1;
        config.attrs = &attribute;
        config.numAttrs = cluster > 0 ? 1 : 0;
        CHECK(cudaLaunchKernelEx(&config, empty_cluster, 0, out));
        CHECK(cudaDeviceSynchronize());
        std::printf("%d,%d,%u,%d\n", id++, cluster, config.gridDim.x, block);
      }
    }
  }
  int n = 0;
  void* arguments[] = {&n, &out};
  for (int block : {256, 1024}) {
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(empty_cluster), dim3(sms),
                                      dim3(block), arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    std::printf("%d,-1,%d,%d\n", id++, sms, block);
  }
  return 0;
}
