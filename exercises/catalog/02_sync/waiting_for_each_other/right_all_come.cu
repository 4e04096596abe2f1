// The barrier is outside the branch, so all lanes reach it.

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    if (t < 16) cell[t] = data[t];
    __syncwarp();
    if (t < 16) data[t] = cell[15 - t];
    __syncthreads();
    if (t >= 16) data[t] += data[t - 16];
}
