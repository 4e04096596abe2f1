// Through shared memory: each lane counts the others by itself.

extern "C" __global__ void keep_positive(const int* in, int* out, int* kept) {
    __shared__ int keeps[32];
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    keeps[lane] = mine > 0;
    __syncwarp();
    int place = 0, count = 0;
    for (int k = 0; k < 32; k++) {
        count += keeps[k];
        if (k < lane) place += keeps[k];
    }
    if (mine > 0) out[32 * blockIdx.x + place] = mine;
    if (lane == 0) kept[blockIdx.x] = count;
}
