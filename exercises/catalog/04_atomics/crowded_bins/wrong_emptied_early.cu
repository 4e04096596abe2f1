// wrong: race-shared
// "All counts are atomic, what can go wrong?" A warp adds up its block's bins while the other warp still counts.

#define BINS 16

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    __shared__ unsigned own[BINS];
    const int t = threadIdx.x;
    if (t < BINS) own[t] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[v[i] / 16], 1);

    if (t < BINS) atomicAdd(&bins[t], own[t]);
}
