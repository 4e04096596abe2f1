// wrong: race-shared
// The barriers caused the finding, so they are removed.

extern "C" __global__ void differences(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    if (t == 0) {
        out[t] = row[t];
    } else {
        out[t] = row[t] - row[t - 1];
    }
}
