// wrong: answer
// Lane 0 stores for its warp, but it holds only its first element.

__device__ int warp_scan(int sum) {
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(0xffffffff, sum, offset);
        if (threadIdx.x % 32 >= offset) sum += left;
    }
    return sum;
}

extern "C" __global__ void block_scan(const int* in, int* out) {
    __shared__ int whole[8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int i = 256 * blockIdx.x + threadIdx.x;
    int sum = warp_scan(in[i]);
    if (lane == 0) whole[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++) sum += whole[w];
    out[i] = sum;
}
