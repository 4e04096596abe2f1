// early_return: gone before its turn
//
// Each block of 128 threads adds up its 128 elements by a tree in shared memory: 64 threads add
// the upper half to the lower, then 32, then 16 ... until partial[0] holds the sum. n need not be
// a multiple of 128, so the last block has threads without an element. They return at once.
//
// That is allowed: a barrier waits for the threads that have not ended. And yet the last sum is
// made of something that nobody ever wrote.
//
// Do       Mend it for every n. The budget wants one load for each 32 elements, so the block must
//          still read its elements together.
// Read on  cuda/lesson02/block_sum.cu; cargo learn explain undefined-value

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
