// Each thread reads its element, and computes where to write it.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    const int from = blockIdx.x * blockDim.x + threadIdx.x;
    if (from >= n) return;
    out[n - 1 - from] = in[from];
}
