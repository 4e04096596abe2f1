// half_a_warp: sixteen lanes that are not there
//
// Each block has 16 threads, half a warp, and adds up 16 elements by shuffles. The loop was
// copied from a kernel with full warps.
//
// On many GPUs the result is right, by luck: the register file has zeros where no thread ever
// ran. What a shuffle takes from a lane that is not there is undefined, and the sum is made of it.
//
// Do       Add up the 16 elements that there are. The budget is one load a block.
// Read on  lesson03-warp-primitives/README.md, row `warp_sum`; cargo learn explain absent-lane

extern "C" __global__ void half_warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[16 * blockIdx.x + lane];
    // TODO: which lanes are there?
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
