// wrong: race-shared
// Shared memory belongs to the block, not to one thread: its threads meet there as they did before.

#define BINS 16

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    __shared__ unsigned own[BINS];
    const int t = threadIdx.x;
    if (t < BINS) own[t] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) own[v[i] / 16]++;
    __syncthreads();

    if (t < BINS) atomicAdd(&bins[t], own[t]);
}
