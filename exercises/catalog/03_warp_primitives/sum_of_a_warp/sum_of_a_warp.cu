// sum_of_a_warp: a sum without memory
//
// Each block is one warp of 32 threads and adds up its 32 elements. Lane 0 stores the sum. The
// lanes hold their elements in registers. They can add them up without memory: a shuffle gives one
// lane the value of another lane's register.
//
//     __shfl_down_sync(0xffffffff, value, offset)   value of the lane `offset` further up
//
// The first argument is a mask: one bit for each lane that takes part, here all 32. A lane without
// a lane that far up keeps its own value.
//
// Range   gridDim.x is from 1 to 4; in has values from -99 to 99.
// Do      Add the rounds that bring all 32 elements into lane 0's `sum`. The budget: load each
//         element once, and store nothing in shared memory.
// Read    lesson03-warp-primitives/README.md, rows `exchange` and `warp_sum`

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    // TODO: bring the other lanes' elements to lane 0
    if (lane == 0) sums[blockIdx.x] = sum;
}
