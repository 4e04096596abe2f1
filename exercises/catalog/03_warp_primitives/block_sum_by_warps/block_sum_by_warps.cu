// block_sum_by_warps: the last step does not wait
//
// Each block of 256 threads, 8 warps, adds up 256 elements. Each warp adds up its 32 by shuffles:
// warp_sum() gives the sum to lane 0, which puts it in shared memory. Then warp 0 adds up the 8 sums,
// by shuffles again. That is two steps; a tree in shared memory has eight.
//
// Range   gridDim.x is from 1 to 3; in has values from -99 to 99.
// Do      Something is missing between the two steps: add it. One load for each 32 elements.
// Read    lesson03-warp-primitives/README.md, row `block_reduce_sum`; cargo learn explain race-shared

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

extern "C" __global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = warp_sum(in[256 * blockIdx.x + threadIdx.x]);
    if (lane == 0) partial[warp] = sum;
    // TODO: are the other warps' sums there?
    if (warp == 0) {
        sum = warp_sum(lane < 8 ? partial[lane] : 0);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}
