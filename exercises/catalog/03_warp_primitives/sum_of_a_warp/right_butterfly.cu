// Partners exchange sums. At the end every lane holds the whole sum.

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    for (int partner = 1; partner < 32; partner *= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, partner);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
