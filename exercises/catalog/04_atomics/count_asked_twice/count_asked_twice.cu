// count_asked_twice.cu: copy the positive elements of src to the front of dst.
//
// Given     src and dst have n ints, dst is all zero, *kept is 0. A thread for each element, in blocks of 64.
// Wanted    dst holds every positive element once, in any order, with no holes; *kept says how many they are.
// Trouble   The counter is atomic, and still elements get lost and others come twice.
//
// Read on   lesson04-atomics/README.md, row `filter`; cargo learn explain race-global

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        // TODO: each kept element needs a place that no other thread uses.
        atomicAdd(kept, 1);
        const int place = *kept - 1;
        dst[place] = src[i];
    }
}
