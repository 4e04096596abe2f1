// wrong: barrier-divergence
// A barrier before the branch, but the two inside it are still there.

extern "C" __global__ void differences(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    __syncthreads();
    if (t == 0) {
        __syncthreads();
        out[t] = row[t];
    } else {
        __syncthreads();
        out[t] = row[t] - row[t - 1];
    }
}
