// wrong: idle
// Lane 0 goes through all elements alone, and each lane only stores what it finds.

extern "C" __global__ void keep_positive(const int* in, int* out, int* kept) {
    __shared__ int cell[32], moved[32];
    const int lane = threadIdx.x;
    cell[lane] = in[32 * blockIdx.x + lane];
    moved[lane] = 0;
    __syncwarp();
    if (lane == 0) {
        int count = 0;
        for (int k = 0; k < 32; k++) {
            if (cell[k] > 0) moved[count++] = cell[k];
        }
        kept[blockIdx.x] = count;
    }
    __syncwarp();
    out[32 * blockIdx.x + lane] = moved[lane];
}
