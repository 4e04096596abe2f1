// lesson03/block_reduce_tail.cu: the same sum in a block whose last warp is not full.
//
// Idea      blockDim.x / 32 rounds down. A last warp of only 4 threads is a warp too, and has a sum.
// Broken    100 threads are three full warps and one of 4 threads. That one adds up its four values and stores the
//           sum, but no thread reads it. No rule is broken: the result is just not the sum of all threads.
// Correct   Rounds the number of warps up, and lets a lane add only values of threads that exist.
// Contract  One block of any number of threads up to 1024; v has an int for each, sum one. It fits in an int.
// Expect    broken: wrong-result if the block is not a multiple of 32 and its tail does not add up to 0.
//           correct: no findings, the exact sum.
// PTX       block_reduce_tail_broken: bar.sync; not add; shr|div; ld.shared; st.global
// PTX       block_reduce_tail_correct: bar.sync; add 31; shr|div; ld.shared; st.global

#define FULL_MASK 0xffffffffu

__device__ int warp_sum(int sum) {
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    return sum;
}

// The sum over the first `there` lanes of the warp; the other lanes have no thread.
__device__ int warp_sum_of(int sum, unsigned there) {
    const unsigned mask = there == 32 ? FULL_MASK : (1u << there) - 1;
    const unsigned lane = threadIdx.x % 32;
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        const int other = __shfl_down_sync(mask, sum, offset);
        if (lane + offset < there) sum += other;
    }
    return sum;
}

extern "C" __global__ void block_reduce_tail_broken(const int* v, int* sum) {
    __shared__ int partial[32];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;

    const int own = warp_sum(v[t]);
    if (lane == 0) partial[warp] = own;
    __syncthreads();
    if (warp == 0) {
        // BUG: 100 / 32 is 3, and partial[3] is left out.
        const int each = lane < blockDim.x / 32 ? partial[lane] : 0;
        const int total = warp_sum(each);
        if (t == 0) *sum = total;
    }
}

extern "C" __global__ void block_reduce_tail_correct(const int* v, int* sum) {
    __shared__ int partial[32];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;

    const int own = warp_sum_of(v[t], min(32, blockDim.x - 32 * warp));
    if (lane == 0) partial[warp] = own;
    __syncthreads();
    if (warp == 0) {
        // FIX: rounded up, so a last warp that is not full counts too.
        const int each = lane < (blockDim.x + 31) / 32 ? partial[lane] : 0;
        const int total = warp_sum_of(each, min(32, blockDim.x));
        if (t == 0) *sum = total;
    }
}
