// wrong: budget
// The result is right, but it goes through shared memory.

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    __shared__ int cell[32];
    cell[lane] = sum;
    __syncwarp();
    sum = 0;
    for (int k = 0; k < 32; k++) sum += cell[k];
    if (lane == 0) sums[blockIdx.x] = sum;
}
