// two_tiles_in_turn: one barrier per iteration
//
// One block of 64 threads goes through a vector tile by tile. From each it computes out[t] = in[t]
// + in[63 - t]. Each element is loaded once; its mirror image comes from shared memory.
//
// The kernel is right. It needs two barriers per iteration: one after the tile is full, and one
// after all threads have read it. At a barrier the block waits for its slowest thread. Meanwhile a
// GPU can only run other blocks. There is enough shared memory for more than one tile.
//
// Range    tiles is from 1 to 6; in has values from -99 to 99.
// Do       Use only one barrier per iteration. Each element is still loaded once.
// Read     exercise tile_used_again

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    __shared__ int tile[64];
    for (int k = 0; k < tiles; k++) {
        const int mine = in[64 * k + t];
        tile[t] = mine;
        __syncthreads();
        out[64 * k + t] = mine + tile[63 - t];
        __syncthreads(); // TODO: what would make this one unnecessary?
    }
}
