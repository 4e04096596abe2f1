// NAME: every element is to be doubled, four by each thread.
//
// Say here what the kernel is for. It is right, and costs more than it should.
//
// Given   in and out have n ints each, n a multiple of 512. There is a block of 128 threads for every 512 elements.
// Do      the same with at most four sectors of 32 bytes a request.
// Read    the lesson that it belongs to, and docs/counters.md.

extern "C" __global__ void doubled(const int* in, int* out, int n) {
    const int mine = blockIdx.x * 512 + 4 * threadIdx.x;
    for (int k = 0; k < 4; k++) {
        // TODO: what do the 32 lanes of a warp read here, together?
        out[mine + k] = 2 * in[mine + k];
    }
}
