// The index needs no wait. All accesses of memory come after it.

#include <cuda_device_runtime_api.h>

extern "C" __global__ void largest(const int* v, int n, int* most) {
    cudaTriggerProgrammaticLaunchCompletion();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
}

extern "C" __global__ void below_it(int* v, int n, const int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    if (i < n) v[i] = *most - v[i];
}
