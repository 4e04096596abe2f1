// The same elements for each thread, starting with the last.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int all = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (first >= n) return;
    for (int i = first + (n - 1 - first) / all * all; i >= 0; i -= all) out[i] = -in[i];
}
