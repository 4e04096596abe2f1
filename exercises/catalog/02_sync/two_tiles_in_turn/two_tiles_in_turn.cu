// two_tiles_in_turn: one barrier a round
//
// One block of 64 threads goes through a vector tile by tile and makes out[t] = in[t] + in[63 - t]
// of each. Each element is loaded once, its mirror image comes from shared memory.
//
// The kernel is right. Two barriers a round keep it so: one when the tile is full, and one when
// all have read it. At a barrier the block waits for its slowest thread, and a GPU can do nothing
// else meanwhile but run other blocks. There is shared memory enough for more than one tile.
//
// Do       Make do with one barrier a round. Every element is still loaded once.
// Read on  exercise tile_used_again

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    __shared__ int tile[64];
    for (int k = 0; k < tiles; k++) {
        const int mine = in[64 * k + t];
        tile[t] = mine;
        __syncthreads();
        out[64 * k + t] = mine + tile[63 - t];
        __syncthreads(); // TODO: what would make this one needless?
    }
}
