// lesson02/flag_scope.cu: the message and its flag again: how far do a fence and an atomic reach?
//
// Idea      Fences and atomics have a scope. Those of block scope order nothing for another block.
// Broken    broken: __threadfence_block() on both sides orders the message only within its own block.
//           atomic: the fences have device scope, but the flag is set and read by atomics of block
//           scope. Between two blocks these are not atomic.
// Correct   Fences and atomics of device scope.
// Contract  Two blocks of 64 threads; in, message and out have n ints; flag and arrivals are one int each, 0 at
//           first; out gets the squares of in, through message. Values up to 46340.
// Expect    broken and atomic: race-scope. correct: no findings, the squares.
// PTX       flag_scope_broken: atom.global.or; membar.cta; bar.sync; ld.global; never membar.gl
// PTX       flag_scope_broken: bar.sync; membar.cta; atom.global.exch
// PTX       flag_scope_atomic: atom.global.cta.or; membar.gl; bar.sync; ld.global
// PTX       flag_scope_atomic: bar.sync; membar.gl; atom.global.cta.exch
// PTX       flag_scope_correct: atom.global.or; membar.gl; bar.sync; ld.global; never membar.cta
// PTX       flag_scope_correct: bar.sync; membar.gl; atom.global.exch

#include "flag.cuh"

extern "C" __global__ void flag_scope_broken(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_block();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {}
            __threadfence_block();
        }
        __syncthreads();
        // BUG: each of the two fences works only within its own block.
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_scope_atomic(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            // BUG: atomic only within its own block, but another block reads the flag.
            atomicExch_block(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr_block(flag, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_scope_correct(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence(); // FIX: device scope, and the atomic below has device scope too.
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}
