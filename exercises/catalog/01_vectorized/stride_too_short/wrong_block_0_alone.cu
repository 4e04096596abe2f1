// wrong: idle
// Only the first block works, and for it the stride is right.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x != 0) return;
    for (int i = first; i < n; i += blockDim.x) {
        data[i] += 1;
    }
}
