// wrong: race-shared
// One barrier for all threads, but after the reads that should have waited.

extern "C" __global__ void differences(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    const int left = t > 0 ? row[t - 1] : 0;
    __syncthreads();
    out[t] = row[t] - left;
}
