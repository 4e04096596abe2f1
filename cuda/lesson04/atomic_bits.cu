// lesson04/atomic_bits.cu: atomicExch, CAS, And, Or and Xor for every type they accept.
//
// Idea      Exchange and compare-and-swap work with any bits. And, Or and Xor clear, set and flip flags.
// Contract  atomic_catalogue.cuh. cas: thread i tries to replace operand[i] by operand[i] + 1. It
//           changes the cell only if it finds operand[i] there.
// Expect    no findings; each cell's history has an order that explains it.
// PTX       exch_int_global: atom.global.exch.b32
// PTX       exch_ull_shared: atom.shared.exch.b64
// PTX       cas_int_global: atom.global.cas.b32
// PTX       cas_ushort_global: atom.cas.b16
// PTX       and_int_global: atom.global.and.b32
// PTX       or_unsigned_shared: atom.shared.or.b32
// PTX       xor_ull_global: atom.global.xor.b64

#include "atomic_catalogue.cuh"

BOTH(exch_int, int, atomicExch(p, x))
BOTH(exch_unsigned, unsigned, atomicExch(p, x))
BOTH(exch_ull, unsigned long long, atomicExch(p, x))
BOTH(exch_float, float, atomicExch(p, x))

BOTH(cas_int, int, atomicCAS(p, x, x + 1))
BOTH(cas_unsigned, unsigned, atomicCAS(p, x, x + 1))
BOTH(cas_ull, unsigned long long, atomicCAS(p, x, x + 1))
BOTH(cas_ushort, unsigned short, atomicCAS(p, x, static_cast<unsigned short>(x + 1)))

BOTH(and_int, int, atomicAnd(p, x))
BOTH(and_unsigned, unsigned, atomicAnd(p, x))
BOTH(and_ull, unsigned long long, atomicAnd(p, x))

BOTH(or_int, int, atomicOr(p, x))
BOTH(or_unsigned, unsigned, atomicOr(p, x))
BOTH(or_ull, unsigned long long, atomicOr(p, x))

BOTH(xor_int, int, atomicXor(p, x))
BOTH(xor_unsigned, unsigned, atomicXor(p, x))
BOTH(xor_ull, unsigned long long, atomicXor(p, x))
