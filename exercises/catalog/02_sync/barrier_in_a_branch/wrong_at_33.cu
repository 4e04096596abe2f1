// wrong: undefined-value
// The warp's barrier is taken for blocks of "about one warp". Of 33 threads the last is in another warp, and `volatile` hides the race.
extern "C" __global__ void differences(const int* in, int* out) {
    __shared__ volatile int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    if (blockDim.x > 33) {
        __syncthreads();
    } else {
        __syncwarp();
    }
    out[t] = t == 0 ? row[t] : row[t] - row[t - 1];
}
