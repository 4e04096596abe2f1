// wrong: race-shared
// The barrier has moved to the end of the iteration, and the first one is missing.

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    __shared__ int tile[64];
    for (int k = 0; k < tiles; k++) {
        const int mine = in[64 * k + t];
        tile[t] = mine;
        out[64 * k + t] = mine + tile[63 - t];
        __syncthreads();
    }
}
