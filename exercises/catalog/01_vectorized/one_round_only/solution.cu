// Each iteration does as many elements as the grid has threads.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x * blockDim.x) out[i] = -in[i];
}
