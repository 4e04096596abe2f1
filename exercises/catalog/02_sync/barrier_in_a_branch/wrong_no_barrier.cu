// wrong: race-shared
// The barrier was the trouble, so it is taken out.

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
