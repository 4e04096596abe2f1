// wrong: race-shared
// The first barrier is kept: the neighbour's square may not be written yet when it is read.

extern "C" __global__ void squares_of_two(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    __syncthreads();
    row[t] = row[t] * row[t];
    const int left = t > 0 ? row[t - 1] : 0;
    const int sum = row[t] + left;
    out[t] = sum;
}
