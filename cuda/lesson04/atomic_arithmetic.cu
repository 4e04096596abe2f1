// lesson04/atomic_arithmetic.cu: atomicSub, Min, Max, Inc and Dec for every type they accept.
//
// Idea      The same as atomicAdd(): read, compute and write in one step, and return the old value.
// Contract  atomic_catalogue.cuh. Inc stores old >= x ? 0 : old + 1; Dec stores x if old is 0
//           or above x, else old - 1: the operand is the bound.
// Expect    no findings; each cell's history has an order that explains it.
// PTX       sub_int_global: neg.s32; atom.global.add
// PTX       min_int_global: atom.global.min.s32
// PTX       max_ull_shared: atom.shared.max.u64
// PTX       inc_unsigned_global: atom.global.inc.u32
// PTX       dec_unsigned_shared: atom.shared.dec.u32

#include "atomic_catalogue.cuh"

BOTH(sub_int, int, atomicSub(p, x))
BOTH(sub_unsigned, unsigned, atomicSub(p, x))

BOTH(min_int, int, atomicMin(p, x))
BOTH(min_unsigned, unsigned, atomicMin(p, x))
BOTH(min_longlong, long long, atomicMin(p, x))
BOTH(min_ull, unsigned long long, atomicMin(p, x))

BOTH(max_int, int, atomicMax(p, x))
BOTH(max_unsigned, unsigned, atomicMax(p, x))
BOTH(max_longlong, long long, atomicMax(p, x))
BOTH(max_ull, unsigned long long, atomicMax(p, x))

BOTH(inc_unsigned, unsigned, atomicInc(p, x))
BOTH(dec_unsigned, unsigned, atomicDec(p, x))
