// wrong: budget
// Fences of block scope cost less, but are not needed either.

extern "C" __global__ void block_maximum(const int* in, int* largest) {
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = in[128 * blockIdx.x + t];
    for (int half = 64; half > 0; half /= 2) {
        __threadfence_block();
        __syncthreads();
        if (t < half) cell[t] = max(cell[t], cell[t + half]);
    }
    if (t == 0) largest[blockIdx.x] = cell[0];
}
