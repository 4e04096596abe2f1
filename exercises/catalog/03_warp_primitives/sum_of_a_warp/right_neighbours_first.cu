// The distances in reverse order: neighbours first.

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    sum += __shfl_down_sync(0xffffffff, sum, 1);
    sum += __shfl_down_sync(0xffffffff, sum, 2);
    sum += __shfl_down_sync(0xffffffff, sum, 4);
    sum += __shfl_down_sync(0xffffffff, sum, 8);
    sum += __shfl_down_sync(0xffffffff, sum, 16);
    if (lane == 0) sums[blockIdx.x] = sum;
}
