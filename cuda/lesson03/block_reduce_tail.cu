// lesson03/block_reduce_tail.cu: the same sum in a block whose last warp is not full.
//
// Idea      blockDim.x / 32 rounds down. A last warp of 4 threads is a warp, and has a sum.
// Broken    100 threads are three warps and a piece. The piece adds up its four values, stores the sum, and
//           nobody looks at it. No rule is broken: the sum is just not of all threads.
// Correct   Counts the warps rounded up, and lets a lane add only what a thread of the block holds.
// Contract  One block of any number of threads up to 1024; v has an int for each, sum one. It fits in an int.
// Expect    broken: wrong-result where the block is no multiple of 32 and its tail does not add up to 0.
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

// Of the first `there` lanes of the warp; the others have no thread.
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
        // FIX: rounded up, a last warp that is not full counts too.
        const int each = lane < (blockDim.x + 31) / 32 ? partial[lane] : 0;
        const int total = warp_sum_of(each, min(32, blockDim.x));
        if (t == 0) *sum = total;
    }
}
