// half_a_warp: sixteen lanes that do not exist
//
// Each block has 16 threads, half a warp, and adds up 16 elements by shuffles. The loop was copied
// from a kernel with full warps.
//
// On many GPUs the result is right, by luck: the registers hold zeros where no thread has ever run.
// But a value read from a lane that does not exist is undefined, and it is added to the sum.
//
// Range   gridDim.x is from 1 to 5; in has values from -99 to 99.
// Do      Add up the 16 elements that exist. The budget is one load per block.
// Read    lesson03-warp-primitives/README.md, row `warp_sum`; cargo learn explain absent-lane

extern "C" __global__ void half_warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[16 * blockIdx.x + lane];
    // TODO: which lanes exist?
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
