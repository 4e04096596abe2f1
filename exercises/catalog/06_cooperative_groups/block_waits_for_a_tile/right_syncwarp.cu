// The barrier of the warp: its two rows wait for each other, but for no other warp.

extern "C" __global__ void smoothen(const int* v, int n, int* smooth) {
    __shared__ int temp[128];
    const int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x, row = t & ~15;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < 3; round++) {
        temp[t] = mine;
        __syncwarp();
        const int sides = temp[row | (t + 1) & 15] + temp[row | (t - 1) & 15];
        __syncwarp();
        mine += sides;
    }
    if (i < n) smooth[i] = mine;
}
