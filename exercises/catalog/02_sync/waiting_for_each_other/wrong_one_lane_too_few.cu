// wrong: mask-mismatch
// 0x7fff has 15 ones: lane 15 reaches the barrier but is not named.

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    if (t < 16) {
        cell[t] = data[t];
        __syncwarp(0x00007fff);
        data[t] = cell[15 - t];
    }
    __syncthreads();
    if (t >= 16) data[t] += data[t - 16];
}
