// lesson03/block_reduce_sum.cu: a block adds up one value per thread: first each warp, then the warps' sums.
//
// Idea      Shuffles work within a warp. From one warp to another a value goes through shared memory, and that
//           needs a barrier of the block.
// Broken    Warp 0 may read partial[1] before warp 1 has written it.
// Correct   One __syncthreads() between the writes of the partial sums and their reads by warp 0.
// Contract  Blocks of a multiple of 32 threads; v has an int for each thread of the grid, sums one per
//           block. Sums fit in an int.
// Expect    broken: race-shared. correct: no findings, the exact sums.
// PTX       block_reduce_sum_broken: shfl.sync.down; st.shared; not bar; not barrier; ld.shared; shfl.sync.down; st.global
// PTX       block_reduce_sum_correct: shfl.sync.down; st.shared; bar.sync; ld.shared; shfl.sync.down; st.global

#define FULL_MASK 0xffffffffu

__device__ int warp_sum(int sum) {
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    return sum;
}

extern "C" __global__ void block_reduce_sum_broken(const int* v, int* sums) {
    __shared__ int partial[32];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;

    const int own = warp_sum(v[blockDim.x * blockIdx.x + t]);
    if (lane == 0) partial[warp] = own;
    if (warp == 0) {
        // BUG: no barrier between the other warps' writes and this read.
        const int each = lane < blockDim.x / 32 ? partial[lane] : 0;
        const int sum = warp_sum(each);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void block_reduce_sum_correct(const int* v, int* sums) {
    __shared__ int partial[32];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;

    const int own = warp_sum(v[blockDim.x * blockIdx.x + t]);
    if (lane == 0) partial[warp] = own;
    __syncthreads(); // FIX: every warp has written its sum before warp 0 reads.
    if (warp == 0) {
        const int each = lane < blockDim.x / 32 ? partial[lane] : 0;
        const int sum = warp_sum(each);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}
