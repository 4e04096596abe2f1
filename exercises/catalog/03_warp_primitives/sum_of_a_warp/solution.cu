// After the round of 16, lanes 0 to 15 hold two elements each. After the round of 8, lanes 0 to 7 hold four, and so on.

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
