// waits_too_late: two launches. The first finds the largest element, the second how far each element is below it.
//
// Given    The host launches largest, and then below_it as a dependent launch: it may begin before largest has ended.
//          Both have one thread per element, in blocks of 64. v has n ints, none below 1; *most is 0.
// Range    n is from 1 to 200; v has values from 1 to 99.
// Do       *most is the largest element, and each v[i] becomes *most - v[i].
// Problem  cudaGridDependencySynchronize() waits until largest has ended. Which lines of below_it need that?
//
// Read     lesson07-beyond-the-block/README.md, "A launch that begins early"; cargo learn explain race-global

#include <cuda_device_runtime_api.h>

extern "C" __global__ void largest(const int* v, int n, int* most) {
    // The next launch may begin. This says nothing about what this one has done.
    cudaTriggerProgrammaticLaunchCompletion();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
}

extern "C" __global__ void below_it(int* v, int n, const int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int own = i < n ? v[i] : 0;
    const int peak = *most;
    // TODO: does the wait come early enough?
    cudaGridDependencySynchronize();
    if (i < n) v[i] = peak - own;
}
