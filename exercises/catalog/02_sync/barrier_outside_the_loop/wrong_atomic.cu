// wrong: race-shared
// The addition is atomic. The read of the other word is not, and still nothing puts it in the right iteration.

extern "C" __global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[256];
    const int t = threadIdx.x;
    partial[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) atomicAdd(&partial[t], partial[t + half]);
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
