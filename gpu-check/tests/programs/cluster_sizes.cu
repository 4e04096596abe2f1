// Sizes of clusters that a launch may have, and those that it may not.
// prints: 10010 16 1 2 0 cudaErrorInvalidValue
#include <cstdio>

__global__ void plain() {}
__global__ void __cluster_dims__(2) pairs() {}

int main() {
    cudaLaunchAttribute size{};
    size.id = cudaLaunchAttributeClusterDimension;
    cudaLaunchConfig_t config{};
    config.gridDim = 32, config.blockDim = 32, config.attrs = &size, config.numAttrs = 1;
    const auto launch = [&](unsigned blocks) {
        size.val.clusterDim = {blocks, 1, 1};
        return cudaLaunchKernelEx(&config, plain) == cudaSuccess;
    };
    printf("%d%d%d", launch(8), launch(16), launch(3));
    cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    printf("%d%d", launch(16), launch(32));
    int most = 0, active = 0;
    cudaOccupancyMaxPotentialClusterSize(&most, plain, &config);
    size.val.clusterDim = {4, 1, 1};
    cudaOccupancyMaxActiveClusters(&active, plain, &config);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, pairs);
    printf(" %d %d %d %d", most, active > 0, attributes.requiredClusterWidth, attributes.nonPortableClusterSizeAllowed);
    printf(" %s\n", cudaGetErrorName(cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth, 4)));
    return 0;
}
