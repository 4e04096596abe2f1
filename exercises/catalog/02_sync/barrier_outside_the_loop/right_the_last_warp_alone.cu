// For the last 32 words only warp 0 works, and a barrier for that warp is enough: read, wait, write, wait.

extern "C" __global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[256];
    const int t = threadIdx.x;
    partial[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half >= 32; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t >= 32) return;
    for (int half = 16; half > 0; half /= 2) {
        const int other = partial[t + half];
        __syncwarp();
        if (t < half) partial[t] += other;
        __syncwarp();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
