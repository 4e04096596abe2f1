// smaller_barrier: a barrier for the warp alone
//
// A block of 128 threads, four warps, reverses rows of 32 elements in place, four rows a round. A
// warp does a whole row, through shared memory, and there are two barriers a round: one when the row
// is stored, and one when it has been read.
//
// Each barrier makes four warps wait for the slowest of them. None has anything to do with the
// others' rows.
//
// Do       Let nobody wait for another warp: no barrier of the block. One load an element.
// Read on  lesson03-warp-primitives/README.md, "A lane is a thread"

extern "C" __global__ void turn_rows(int* data, int rounds) {
    __shared__ int cell[128];
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    for (int k = 0; k < rounds; k++) {
        cell[t] = data[128 * k + t];
        __syncthreads(); // TODO: who has to wait for whom, here and below?
        data[128 * k + t] = cell[mirrored];
        __syncthreads();
    }
}
