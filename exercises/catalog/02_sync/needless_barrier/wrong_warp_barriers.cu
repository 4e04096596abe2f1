// wrong: race-shared
// __syncwarp() costs less, but it does not reach the neighbour in the next warp.

extern "C" __global__ void squares_of_two(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    row[t] = row[t] * row[t];
    __syncwarp();
    const int left = t > 0 ? row[t - 1] : 0;
    const int sum = row[t] + left;
    out[t] = sum;
}
