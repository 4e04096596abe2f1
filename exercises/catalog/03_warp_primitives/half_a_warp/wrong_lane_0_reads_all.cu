// wrong: budget
// No shuffle, no absent lane: lane 0 loads 16 elements one by one.

extern "C" __global__ void half_warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[16 * blockIdx.x + lane];
    for (int k = 1; k < 16; k++) {
        if (lane == 0) sum += in[16 * blockIdx.x + k];
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
