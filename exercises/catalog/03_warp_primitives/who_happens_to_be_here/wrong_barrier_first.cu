// wrong: absent-lane
// The lanes meet at a barrier, and the mask is asked for right after it. Nothing keeps them together between the two.

extern "C" __global__ void digit_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = 0;
    #pragma unroll 1
    for (int rest = in[32 * blockIdx.x + lane]; rest > 0; rest /= 10) sum += rest % 10;
    __syncwarp();
    const unsigned mask = __activemask();
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(mask, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
