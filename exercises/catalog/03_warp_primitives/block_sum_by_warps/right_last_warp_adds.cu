// Another warp can add up the sums, and a plain loop is enough.

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value; // the sum in lane 0
}

extern "C" __global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = warp_sum(in[256 * blockIdx.x + threadIdx.x]);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 255) {
        sum = 0;
        for (int w = 0; w < 8; w++) sum += partial[w];
        sums[blockIdx.x] = sum;
    }
}
