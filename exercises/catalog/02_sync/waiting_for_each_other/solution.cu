// The mask names lanes 0 to 15, and exactly these reach the barrier.

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    if (t < 16) {
        cell[t] = data[t];
        __syncwarp(0x0000ffff);
        data[t] = cell[15 - t];
    }
    __syncthreads();
    if (t >= 16) data[t] += data[t - 16];
}
