// wrong: budget
// The block's barriers are now the warp's. Shared memory is still used.

extern "C" __global__ void below_the_largest(const int* in, int* out) {
    const int i = 128 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = mine;
    for (int half = 16; half > 0; half /= 2) {
        __syncwarp();
        if (t % 32 < half) cell[t] = max(cell[t], cell[t + half]);
    }
    __syncwarp();
    const int largest = cell[t / 32 * 32];
    out[i] = largest - mine;
}
