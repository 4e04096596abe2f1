// Each thread clears its own word first. Those with an element then write it.

extern "C" __global__ void block_sums(const int* in, int* sums, int n) {
    __shared__ int partial[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 128 + t;
    partial[t] = 0;
    if (i < n) partial[t] = in[i];
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) partial[t] += partial[t + half];
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
