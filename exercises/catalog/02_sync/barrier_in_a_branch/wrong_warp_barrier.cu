// wrong: race-shared
// __syncwarp() waits for its own warp only. The left neighbour of thread 32 is in another warp.

extern "C" __global__ void differences(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    __syncwarp();
    if (t == 0) {
        out[t] = row[t];
    } else {
        out[t] = row[t] - row[t - 1];
    }
}
