// tile_used_again: still being read
//
// One block of 64 threads goes through a vector tile by tile. From each tile of 64 elements it
// computes out[t] = in[t] + in[63 - t]. Each element is loaded once from global memory, and its
// mirror image comes from shared memory.
//
// All threads write, wait at the barrier, and read. With one tile that is right. With more tiles it
// is not, even though every iteration has the barrier.
//
// Range    tiles is from 1 to 6; in has values from -99 to 99.
// Do       Fix it for any number of tiles. The budget allows one load of each element.
// Read     lesson02-sync/README.md; cargo learn explain race-shared

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    __shared__ int tile[64];
    for (int k = 0; k < tiles; k++) {
        const int mine = in[64 * k + t];
        tile[t] = mine;
        __syncthreads();
        out[64 * k + t] = mine + tile[63 - t];
        // TODO: may the next iteration write to `tile` already?
    }
}
