// wrong: answer
// The largest element starts at 0. If all elements are negative, that is wrong.

extern "C" __global__ void block_maximum(const int* in, int* largest) {
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = max(0, in[128 * blockIdx.x + t]);
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) cell[t] = max(cell[t], cell[t + half]);
    }
    if (t == 0) largest[blockIdx.x] = cell[0];
}
