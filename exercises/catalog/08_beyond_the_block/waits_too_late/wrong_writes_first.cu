// wrong: race-global
// The largest element is read in time. But v[i] changes while the launch ahead may still read it.

#include <cuda_device_runtime_api.h>

extern "C" __global__ void largest(const int* v, int n, int* most) {
    cudaTriggerProgrammaticLaunchCompletion();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
}

extern "C" __global__ void below_it(int* v, int n, const int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int own = i < n ? v[i] : 0;
    if (i < n) v[i] = -own;
    cudaGridDependencySynchronize();
    if (i < n) v[i] += *most;
}
