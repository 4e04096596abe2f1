// lesson02/block_sum.cu: each block adds up 256 elements through shared memory, as a tree.
//
// Idea      A barrier orders what is before it and what is after it, once. A loop needs one in every iteration.
// Broken    One barrier before the loop. In the second iteration thread 0 may read partial[64] before thread 64
//           has added to it in the first.
// Correct   A barrier at the end of each iteration.
// Contract  n <= 2^30; blocks of 256 threads, as many as cover n; in has n ints, out one per block.
// Expect    broken: race-shared. correct: no findings, the exact sum of each block's elements.
// PTX       block_sum_broken: st.shared; bar.sync; ld.shared; st.shared; not bar; ld.shared; not bar; st.global
// PTX       block_sum_correct: st.shared; bar.sync; ld.shared; st.shared; bar.sync; ld.shared

#define BLOCK 256

extern "C" __global__ void block_sum_broken(const int* in, int* out, int n) {
    __shared__ int partial[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;

    partial[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        // BUG: no barrier after the last iteration, in which another thread wrote partial[t + half].
        if (t < half) partial[t] += partial[t + half];
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void block_sum_correct(const int* in, int* out, int n) {
    __shared__ int partial[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;

    partial[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads(); // FIX: all sums of this iteration are written before the next one reads them.
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}
