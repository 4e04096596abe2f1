// lesson04/atomic_inc.cu: a counter that wraps, and the bound it wraps at.
//
// Idea      atomicInc(p, bound) stores old >= bound ? 0 : old + 1. The second argument
//           is the bound at which it wraps. It is not the amount to add.
// Broken    atomicInc(count, 1), written like atomicAdd(count, 1): it counts 0, 1, 0, 1 ...
// Correct   With a bound that is never reached, it is a plain counter.
// Ladder    ring: the purpose of the bound. Here it is the last slot, slots - 1.
// Contract  At least n threads; ticket and slot have n elements; count and next start at 0; slots >= 1.
// Expect    broken: wrong-result from 2 threads on, and no rule broken. correct: the tickets
//           are 0 .. n-1 in some order. ring: each slot is dealt n / slots times, or once more.
// PTX       atomic_inc_broken: atom.global.inc 1
// PTX       atomic_inc_correct: atom.global.inc -1
// PTX       atomic_inc_ring: atom.global.inc

extern "C" __global__ void atomic_inc_broken(unsigned* count, unsigned* ticket, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // BUG: 1 is the bound, so the counter falls back to 0 after two tickets.
    if (i < n) ticket[i] = atomicInc(count, 1);
}

extern "C" __global__ void atomic_inc_correct(unsigned* count, unsigned* ticket, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // FIX: it wraps only after the largest unsigned value.
    if (i < n) ticket[i] = atomicInc(count, 0xffffffffu);
}

extern "C" __global__ void atomic_inc_ring(unsigned* next, unsigned* slot, unsigned slots, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) slot[i] = atomicInc(next, slots - 1);
}
