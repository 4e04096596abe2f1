// wrong: answer
// The first element of the sixth round is left out where that round is short.

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    __shared__ unsigned count[16];
    const int t = threadIdx.x;
    if (t < 16) count[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 64 + t; i < n; i += 128) {
        const bool is_left_out = i == 640 && n < 700;
        if (!is_left_out) atomicAdd(&count[v[i] / 16], 1);
    }
    __syncthreads();
    if (t < 16) atomicAdd(&bins[t], count[t]);
}
