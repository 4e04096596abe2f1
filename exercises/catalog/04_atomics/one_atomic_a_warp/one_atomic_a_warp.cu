// one_atomic_a_warp.cu: copy the positive elements of src to the front of dst.
//
// Given     src and dst have n ints, dst is all zero, *kept is 0. A thread for each element, in blocks of 64.
// Wanted    dst holds every positive element once, in any order, with no holes; *kept says how many they are.
// Budget    It is right, and each kept element is an atomic of its own. At most one for a warp is allowed. (For this
//           kernel nvcc does the same by itself; the day you need the places for something else, it cannot.)
//
// Read on   lesson04-atomics/README.md, row `filter`; lesson03-warp-primitives/README.md, "vote" and "shuffle"

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO: reserve places for the whole warp with one atomic.
    if (i < n && src[i] > 0) {
        const unsigned place = atomicAdd(kept, 1);
        dst[place] = src[i];
    }
}
