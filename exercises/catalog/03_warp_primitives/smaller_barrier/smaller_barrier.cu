// smaller_barrier: a barrier for the warp alone
//
// A block of 128 threads, four warps, reverses rows of 32 elements in place, four rows per round.
// Each warp reverses one row, through shared memory. There are two barriers per round: one after
// the row is stored, one after it is read.
//
// Each barrier makes four warps wait for the slowest one. But no warp uses another warp's row.
//
// Range   rounds is from 1 to 4; data has values from -99 to 99.
// Do      Make no warp wait for another one: no barrier of the block. One load per element.
// Read    lesson03-warp-primitives/README.md, "A lane is a thread"

extern "C" __global__ void turn_rows(int* data, int rounds) {
    __shared__ int cell[128];
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    for (int k = 0; k < rounds; k++) {
        // TODO: which threads have to wait for which ones, at both barriers?
        cell[t] = data[128 * k + t];
        __syncthreads();
        data[128 * k + t] = cell[mirrored];
        __syncthreads();
    }
}
