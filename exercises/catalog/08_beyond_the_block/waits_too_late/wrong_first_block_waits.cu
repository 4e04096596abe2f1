// wrong: race-global
// Only the first block waits. A wait is for the block that makes it.

#include <cuda_device_runtime_api.h>

extern "C" __global__ void largest(const int* v, int n, int* most) {
    cudaTriggerProgrammaticLaunchCompletion();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
}

extern "C" __global__ void below_it(int* v, int n, const int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0) cudaGridDependencySynchronize();
    if (i < n) v[i] = *most - v[i];
}
