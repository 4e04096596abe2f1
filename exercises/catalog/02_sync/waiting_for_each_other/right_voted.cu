// All lanes vote on which of them will be there, and so agree on one mask.

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    const unsigned lower = __ballot_sync(0xffffffff, t < 16);
    if (t < 16) {
        cell[t] = data[t];
        __syncwarp(lower);
        data[t] = cell[15 - t];
    }
    __syncthreads();
    if (t >= 16) data[t] += data[t - 16];
}
