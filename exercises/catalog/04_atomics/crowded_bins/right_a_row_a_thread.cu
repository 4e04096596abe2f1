// No atomics inside the block: each thread has its own row of counts, and 16 threads add up the columns.

#define BINS 16
#define BLOCK 64

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    __shared__ unsigned short own[BINS][BLOCK];
    const int t = threadIdx.x;
    for (int b = 0; b < BINS; b++) own[b][t] = 0;
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) own[v[i] / 16][t]++;
    __syncthreads();

    if (t < BINS) {
        unsigned sum = 0;
        for (int other = 0; other < BLOCK; other++) sum += own[t][other];
        atomicAdd(&bins[t], sum);
    }
}
