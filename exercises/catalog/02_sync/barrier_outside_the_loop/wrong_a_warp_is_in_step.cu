// wrong: race-shared
// "A warp runs in step": no barrier for the last iterations, as in old kernels. Since 2017 each lane has its own pace.

extern "C" __global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[256];
    const int t = threadIdx.x;
    partial[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        if (half > 32) __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
