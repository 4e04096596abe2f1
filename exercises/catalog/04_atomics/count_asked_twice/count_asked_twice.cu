// count_asked_twice: copy the positive elements of src to the front of dst.
//
// Given   src and dst have n ints. dst is all zero, *kept is 0. One thread per element, blocks of 64.
// Range   n is from 1 to 200; src has values from -50 to 50.
// Do      Store every positive element in dst once, in any order, with no holes. *kept is their number.
// Now     The counter is atomic, but elements still get lost, and others come twice.
//
// Read    lesson04-atomics/README.md, row `filter`; cargo learn explain race-global

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        // TODO: each kept element needs a position that no other thread uses.
        atomicAdd(kept, 1);
        const int place = *kept - 1;
        dst[place] = src[i];
    }
}
