// lesson04/atomic_add.cu: atomicAdd() for every type that compute capability 7.5 supports.
//
// Idea      An atomic returns the value that it found. The thread that gets 0 from atomicAdd(p, 1) was the first.
// Contract  atomic_catalogue.cuh. A __half2 is two atomics, one per element, not one of 32 bits.
//           float in global memory flushes subnormal values to zero. In shared memory it does not.
// Expect    no findings; each cell's history has an order that explains it.
// PTX       add_int_global: atom.global.add.u32
// PTX       add_ull_shared: atom.shared.add.u64
// PTX       add_float_global: atom.global.add.f32
// PTX       add_double_global: atom.global.add.f64
// PTX       add_half_global: atom.add.noftz.f16
// PTX       add_half2_global: atom.add.noftz.f16x2

#include "atomic_catalogue.cuh"
#include <cuda_fp16.h>

BOTH(add_int, int, atomicAdd(p, x))
BOTH(add_unsigned, unsigned, atomicAdd(p, x))
BOTH(add_ull, unsigned long long, atomicAdd(p, x))
BOTH(add_float, float, atomicAdd(p, x))
BOTH(add_double, double, atomicAdd(p, x))
BOTH(add_half, __half, atomicAdd(p, x))
BOTH(add_half2, __half2, atomicAdd(p, x))
