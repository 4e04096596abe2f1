// reports/called.cu: accesses inside functions, the user's and CUDA's: which line a report names.
//
// run: kernel=own_function block=64 out:s32 => finding=race-shared
// run: kernel=header_function block=64 grid=2 out:s32[1]=[0] => finding=race-global
#include <cuda_fp16.h>

__device__ void deposit(int* place, int value) {
    *place = value; // (1) (2)
}

extern "C" __global__ void own_function(int* out) {
    __shared__ int cell[64];
    deposit(&cell[threadIdx.x], 1);      // from (1)
    deposit(&cell[63 - threadIdx.x], 2); // from (2)
    __syncthreads();
    out[threadIdx.x] = cell[threadIdx.x];
}

extern "C" __global__ void header_function(int* out) {
    atomicAdd(out, 1);       // (1)
    if (*out == 1) *out = 5; // (2) (2)
}
