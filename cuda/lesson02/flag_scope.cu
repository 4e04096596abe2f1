// lesson02/flag_scope.cu: the message and its flag again, and how far a fence and an atomic reach.
//
// Idea      Fences and atomics have a scope. What reaches only the own block tells another block nothing.
// Broken    broken: __threadfence_block() on both sides orders the message for the own block only.
//           atomic: the fences reach the device, but the flag is set and read by atomics of block
//           scope, which between two blocks are no atomics.
// Correct   Fences and atomics of device scope.
// Contract  Two blocks of 64 threads; in, message and out have n ints; flag and arrivals are one int each, 0 at
//           first; out gets the squares of in, by way of message. Values up to 46340.
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
        // BUG: both fences end at the edge of their own block.
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
            // BUG: atomic for the own block only, and the flag is for another one.
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
            __threadfence(); // FIX: reaches the whole device, and so does the atomic below.
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
