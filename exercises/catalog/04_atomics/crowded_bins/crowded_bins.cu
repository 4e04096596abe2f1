// crowded_bins: how often does each of 16 greys occur in a picture?
//
// Given   v has n bytes, 1 to 700; the grey of a byte is its upper half, byte / 16. bins has 16 counts, all
//         0. Two blocks of 64 threads. Each thread takes every 128th byte.
// Range   n is from 1 to 700; v has values from 0 to 255.
// Do      bins[g] is the number of bytes with grey g.
// Budget  The result is right, but slow: all threads queue at 16 words of global memory. Use at
//         most 4 global atomic instructions in total, and load each byte once. An instruction
//         counts once per warp, even if it makes 32 atomics.
//
// Read    lesson04-atomics/README.md, row `histogram`; docs/counters.md

#define BINS 16

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    // TODO: let each block count in its own memory first.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[v[i] / 16], 1);
    }
}
