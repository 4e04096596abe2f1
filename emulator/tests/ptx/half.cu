// nvcc -arch=sm_80
// Half and bfloat16, packed or not: nvcc writes them as inline assembly in braces.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(__half2* a, const __half2* b, __half* c) {
    a[threadIdx.x] = __hfma2_relu(a[threadIdx.x], b[threadIdx.x], __float2half2_rn(1.5f));
    c[0] = hsqrt(c[1]) + __hmax(c[2], c[3]);
    if (__hgt(c[4], c[5])) c[6] = __int2half_rn(7);
    atomicAdd(a, b[1]);
}

__global__ void brains(__nv_bfloat16* a, __nv_bfloat162* b, float f) {
    a[0] = __float2bfloat16(f) * a[1];
    b[0] = __hfma2(b[1], b[2], b[3]);
    atomicAdd(a + 2, a[3]);
}
