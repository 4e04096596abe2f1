// tile_used_again: still being read
//
// One block of 64 threads goes through a vector tile by tile. Of each tile of 64 elements it makes
// out[t] = in[t] + in[63 - t]: each element is loaded once from global memory, and its mirror image
// comes from shared memory.
//
// All threads store, wait at the barrier, and load. With one tile that is right. With more it is
// not, though the barrier is there in every round.
//
// Do       Mend it for any number of tiles. The budget wants every element loaded once.
// Read on  lesson02-sync/README.md; cargo learn explain race-shared

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    __shared__ int tile[64];
    for (int k = 0; k < tiles; k++) {
        const int mine = in[64 * k + t];
        tile[t] = mine;
        __syncthreads();
        out[64 * k + t] = mine + tile[63 - t];
        // TODO: may the next round store to `tile` already?
    }
}
