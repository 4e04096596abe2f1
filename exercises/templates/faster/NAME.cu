// NAME: every element is doubled, four elements per thread.
//
// Say here what the kernel is for. It is right, but costs more than it should.
//
// Given   in and out have n ints each, n a multiple of 512. One block of 128 threads per 512 elements.
// Range   n is 512, 1024, 1536 or 2048; in has values from -99 to 99.
// Do      the same with at most four sectors of 32 bytes per request.
// Read    the lesson that this belongs to, and docs/counters.md.

extern "C" __global__ void doubled(const int* in, int* out, int n) {
    const int mine = blockIdx.x * 512 + 4 * threadIdx.x;
    for (int k = 0; k < 4; k++) {
        // TODO: which addresses do the 32 lanes of a warp read together here?
        out[mine + k] = 2 * in[mine + k];
    }
}
