// wrong: race-global
// Without the last barrier nothing stops, but the upper half does not wait for what it reads.

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    if (t < 16) {
        cell[t] = data[t];
        __syncwarp(0x0000ffff);
        data[t] = cell[15 - t];
    }
    if (t >= 16) data[t] += data[t - 16];
}
