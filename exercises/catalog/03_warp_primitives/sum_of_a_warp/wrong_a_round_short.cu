// wrong: answer
// The loop ends one round early: the half that is now in lane 1 is left out.

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    for (int offset = 16; offset > 1; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
