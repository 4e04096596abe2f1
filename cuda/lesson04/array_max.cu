// lesson04/array_max.cu: the largest element of an array.
//
// Idea      Compare and store must be one step. And the fewer threads meet at one address, the better.
// Broken    Two threads both read a smaller maximum, and the smaller of their values is stored last. nvcc
//           loads *most once per thread, before the loop. After that a thread compares with its own maximum.
// Correct   One atomicMax() per element, all at one address.
// Ladder    correct. locals: spread over `locals` maxima; only a thread that raised one of them
//           goes on to the global maximum. tree: a tree in shared memory, one atomic per block.
// Contract  n <= 2^31; any grid of at most 2^31 threads; v has n ints, most is one that starts at INT_MIN; local_most
//           has locals >= 1 ints that start at INT_MIN. tree: blocks of 256 threads.
// Expect    broken: race-global. all others: no findings, the exact maximum.
// PTX       array_max_broken: ld.global; ld.global; setp; st.global; never atom|red
// PTX       array_max_correct: atom|red.global.max.s32; never st.global
// PTX       array_max_locals: atom.global.max.s32; atom|red.global.max.s32
// PTX       array_max_tree: bar.sync; ld.shared; atom|red.global.max.s32

#include <limits.h>

#define BLOCK 256

extern "C" __global__ void array_max_broken(const int* v, unsigned n, int* most) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // BUG: between this comparison and the store, another thread may store a larger value.
        if (v[i] > *most) *most = v[i];
    }
}

extern "C" __global__ void array_max_correct(const int* v, unsigned n, int* most) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // FIX: compare and store in one step.
        atomicMax(most, v[i]);
    }
}

extern "C" __global__ void array_max_locals(const int* v, unsigned n, int* most, int* local_most, unsigned locals) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int value = v[i];
        const int old = atomicMax(&local_most[i % locals], value);
        // A value that does not raise its local maximum cannot raise the global one:
        // the thread that stored the larger value takes that one to the global maximum.
        if (old < value) atomicMax(most, value);
    }
}

extern "C" __global__ void array_max_tree(const int* v, unsigned n, int* most) {
    __shared__ int partial[BLOCK];
    const unsigned t = threadIdx.x;

    int own = INT_MIN;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        own = max(own, v[i]);
    }
    partial[t] = own;
    __syncthreads();
    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) partial[t] = max(partial[t], partial[t + half]);
        __syncthreads();
    }
    if (t == 0) atomicMax(most, partial[0]);
}
