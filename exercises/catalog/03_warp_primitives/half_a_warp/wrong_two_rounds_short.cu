// wrong: answer
// The first offset is a quarter of 16, which is too small.

extern "C" __global__ void half_warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[16 * blockIdx.x + lane];
    for (int offset = 4; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0x0000ffff, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
