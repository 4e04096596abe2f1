// Arch: sm_90
// lesson04/atomic_add_sm90.cu: atomicAdd() for the types that need compute capability 9.0.
//
// Idea      Below 9.0 the header adds bfloat16 in a compare-and-swap loop that also has plain
//           reads. From 9.0 on it is one instruction. float2 and float4 exist from 9.0 on, in
//           global memory only.
// Contract  atomic_catalogue.cuh. Pairs and vectors are one atomic per element, not one for all.
// Expect    no findings; each element's history has an order that explains it.
// PTX       add_bfloat16_global: atom.add.noftz.bf16
// PTX       add_bfloat162_global: atom.add.noftz.bf16x2
// PTX       add_float2_global: atom.global.add.v2.f32
// PTX       add_float4_global: atom.global.add.v4.f32

#include "atomic_catalogue.cuh"
#include <cuda_bf16.h>

BOTH(add_bfloat16, __nv_bfloat16, atomicAdd(p, x))
BOTH(add_bfloat162, __nv_bfloat162, atomicAdd(p, x))
GLOBAL(add_float2, float2, atomicAdd(p, x))
GLOBAL(add_float4, float4, atomicAdd(p, x))
