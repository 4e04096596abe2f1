// wrong: undefined-value
// No thread returns early, but the words without an element are still not written.

extern "C" __global__ void block_sums(const int* in, int* sums, int n) {
    __shared__ int partial[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 128 + t;
    if (i < n) partial[t] = in[i];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
