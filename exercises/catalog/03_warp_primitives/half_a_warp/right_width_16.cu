// With a width of 16 no lane reads beyond lane 15.

extern "C" __global__ void half_warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[16 * blockIdx.x + lane];
    for (int offset = 8; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0x0000ffff, sum, offset, 16);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
