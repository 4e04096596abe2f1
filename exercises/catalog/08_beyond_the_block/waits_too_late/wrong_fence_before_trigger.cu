// wrong: race-global
// A fence before the signal. Nobody waits for either.

#include <cuda_device_runtime_api.h>

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
    __threadfence();
    cudaTriggerProgrammaticLaunchCompletion();
}

extern "C" __global__ void below_it(int* v, int n, const int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __threadfence();
    if (i < n) v[i] = *most - v[i];
}
