// Each thread has a contiguous chunk of elements, as long as the grid needs.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int all = gridDim.x * blockDim.x;
    const int chunk = (n + all - 1) / all;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    const int end = min(first + chunk, n);
    for (int i = first; i < end; i++) out[i] = -in[i];
}
