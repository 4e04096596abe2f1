// headers/half_types.cu: atomic additions of half types, which below sm_90 are loops in the header.
//
// The loop begins with a plain load, which by the letter races with the compare-and-swaps of other threads. But the
// thread's own compare-and-swap checks what it found: a guess, and no finding. docs/findings.md says where that ends.
//
// run: kernel=sum_bfloat block=64 grid=2 out:bf16[1]=[0] => out=[128]
// run: kernel=sum_bfloat_pair block=64 grid=2 out:bf16[2]=[0] => out=[128, 128]
// run: kernel=sum_half block=64 grid=2 out:f16[1]=[0] => out=[128]
// run: kernel=sum_double block=64 grid=2 out:f64[1]=[0] => out=[128]
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void sum_bfloat(__nv_bfloat16* out) { atomicAdd(out, __float2bfloat16(1.0f)); }

extern "C" __global__ void sum_bfloat_pair(__nv_bfloat162* out) {
    atomicAdd(out, __floats2bfloat162_rn(1.0f, 1.0f));
}

extern "C" __global__ void sum_half(__half* out) { atomicAdd(out, __float2half(1.0f)); }

extern "C" __global__ void sum_double(double* out) { atomicAdd(out, 1.0); }
