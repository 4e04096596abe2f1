// The tree starts with the neighbours, with the barrier at the end of each iteration.

extern "C" __global__ void block_maximum(const int* in, int* largest) {
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = in[128 * blockIdx.x + t];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        if (t % (2 * step) == 0) cell[t] = max(cell[t], cell[t + step]);
        __syncthreads();
    }
    if (t == 0) largest[blockIdx.x] = cell[0];
}
