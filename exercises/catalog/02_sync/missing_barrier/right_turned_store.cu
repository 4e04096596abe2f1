// Reverses while writing, with a barrier that also counts.
extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ int tile[512];
    tile[n - 1 - threadIdx.x] = data[threadIdx.x];
    const int arrived = __syncthreads_count(1);
    if (arrived == n) data[threadIdx.x] = tile[threadIdx.x];
}
