// Warp 0 scans the eight sums, as it scanned the elements; then all threads wait once more.

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
    if (lane == 31) whole[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        const int scanned = warp_scan(lane < 8 ? whole[lane] : 0);
        if (lane < 8) whole[lane] = scanned;
    }
    __syncthreads();
    if (warp > 0) sum += whole[warp - 1];
    out[i] = sum;
}
