// The meeting is a barrier, and each lane looks at the other 31 by itself.

extern "C" __global__ void another_negative(const int* in, int* out) {
    __shared__ int cell[32];
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    cell[lane] = in[i];
    __syncwarp();
    int found = 0;
    for (int k = 0; k < 32; k++) {
        if (k != lane && cell[k] < 0) found = 1;
    }
    out[i] = found;
}
