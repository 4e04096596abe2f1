// wrong: race-shared
// A fence orders a thread's own accesses. It waits for no other thread.

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    __shared__ int tile[64];
    for (int k = 0; k < tiles; k++) {
        const int mine = in[64 * k + t];
        tile[t] = mine;
        __syncthreads();
        out[64 * k + t] = mine + tile[63 - t];
        __threadfence_block();
    }
}
