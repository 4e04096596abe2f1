// wrong: answer
// A __half has 11 bits for the number: large floats are rounded.

#include <cuda_fp16.h>

__device__ void atomic_max(float* p, float value) {
    value = __half2float(__float2half(value));
    int* bits = reinterpret_cast<int*>(p);
    int seen = atomicAdd(bits, 0);
    while (value > __int_as_float(seen)) {
        const int found = atomicCAS(bits, seen, __float_as_int(value));
        if (found == seen) break;
        seen = found;
    }
}

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(most, v[i]);
}
