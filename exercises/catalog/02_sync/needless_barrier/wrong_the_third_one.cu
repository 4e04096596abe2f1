// wrong: race-shared
// A barrier after the read of the neighbour's word is too late for it.

extern "C" __global__ void squares_of_two(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    row[t] = row[t] * row[t];
    const int left = t > 0 ? row[t - 1] : 0;
    __syncthreads();
    const int sum = row[t] + left;
    out[t] = sum;
}
