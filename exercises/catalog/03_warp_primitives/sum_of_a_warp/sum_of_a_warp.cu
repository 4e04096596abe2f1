// sum_of_a_warp: a sum without memory
//
// Each block is one warp of 32 threads and adds up its 32 elements; lane 0 stores the sum.
// The lanes hold their elements in registers. They need no memory to add them up: a shuffle hands
// one lane's register to another lane.
//
//     __shfl_down_sync(0xffffffff, value, offset)   value of the lane `offset` further up
//
// The first argument is a mask: one bit for each lane that takes part, here all 32. The lanes that
// find no lane so far up keep their own value.
//
// Do       Add the rounds that bring all 32 elements into lane 0's `sum`. The budget: each element
//          is loaded once, and nothing is stored in shared memory.
// Read on  lesson03-warp-primitives/README.md, rows `exchange` and `warp_sum`

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    // TODO: bring the other lanes' elements to lane 0
    if (lane == 0) sums[blockIdx.x] = sum;
}
