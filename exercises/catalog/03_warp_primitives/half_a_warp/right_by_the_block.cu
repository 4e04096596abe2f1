// The first offset follows from the number of threads.

extern "C" __global__ void half_warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[16 * blockIdx.x + lane];
    for (int partner = blockDim.x / 2; partner > 0; partner /= 2) {
        sum += __shfl_xor_sync((1u << blockDim.x) - 1, sum, partner);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
