// wrong: race-shared
// The barriers are removed and the fences kept: no thread waits any more.

extern "C" __global__ void block_maximum(const int* in, int* largest) {
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = in[128 * blockIdx.x + t];
    for (int half = 64; half > 0; half /= 2) {
        __threadfence();
        if (t < half) cell[t] = max(cell[t], cell[t + half]);
    }
    if (t == 0) largest[blockIdx.x] = cell[0];
}
