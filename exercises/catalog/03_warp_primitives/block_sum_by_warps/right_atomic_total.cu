// The warps add to one word. One barrier before, because thread 0 sets the word to 0, and one after.

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
    if (threadIdx.x == 0) partial[0] = 0;
    __syncthreads();
    if (lane == 0) atomicAdd(&partial[0], sum);
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}
