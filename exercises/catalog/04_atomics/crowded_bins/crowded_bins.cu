// crowded_bins.cu: how often does each of 16 greys occur in a picture?
//
// Given     v has n bytes; the grey of a byte is its upper half, byte / 16. bins has 16 counts, all 0 at first.
//           Two blocks of 64 threads; each thread takes every 128th byte.
// Wanted    bins[g] is the number of bytes with grey g.
// Budget    It is right, and slow: all threads queue at 16 words of global memory. At most 4 global atomic instructions
//           of a warp are allowed in all (a warp's 32 atomics in one instruction count once), and each byte is
//           loaded once.
//
// Read on   lesson04-atomics/README.md, row `histogram`; docs/counters.md

#define BINS 16

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    // TODO: let each block count in memory of its own first.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[v[i] / 16], 1);
    }
}
