// one_atomic_a_warp: copy the positive elements of src to the front of dst.
//
// Given   src and dst have n ints. dst is all zero, *kept is 0. One thread per element, blocks of 64.
// Range   n is from 1 to 300; src has values from -20 to 80.
// Do      Store every positive element in dst once, in any order, with no holes. *kept is their number.
// Budget  The result is right, but each kept element takes an atomic. Use at most one per warp. (For this
//         kernel nvcc does the same itself. If you use the positions for something else, it cannot.)
//
// Read    lesson04-atomics/README.md, row `filter`; lesson03-warp-primitives/README.md, "vote" and "shuffle"

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO: reserve positions for the whole warp with one atomic.
    if (i < n && src[i] > 0) {
        const unsigned place = atomicAdd(kept, 1);
        dst[place] = src[i];
    }
}
