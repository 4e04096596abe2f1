// early_return: returning too early
//
// Each block of 128 threads adds up its 128 elements with a tree in shared memory. 64 threads add
// the upper half to the lower half, then 32, then 16 ... until partial[0] holds the sum. n need not
// be a multiple of 128, so the last block can have threads without an element. They return at once.
//
// That is allowed: a barrier waits only for the threads that have not ended. But the last sum also
// contains words that no thread has written.
//
// Range    n is from 1 to 400; in has values from -99 to 99.
// Do       Fix it for every n. The budget allows one load per 32 elements, so the threads of a
//          block must still read their elements together.
// Read     cuda/lesson02/block_sum.cu; cargo learn explain undefined-value

extern "C" __global__ void block_sums(const int* in, int* sums, int n) {
    __shared__ int partial[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 128 + t;
    // TODO: the tree below adds up all of partial[]
    if (i >= n) return;
    partial[t] = in[i];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
