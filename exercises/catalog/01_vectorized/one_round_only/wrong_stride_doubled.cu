// wrong: undefined-value
// The stride is twice the grid: every second group of 256 elements is skipped.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < n; k += 2 * gridDim.x * blockDim.x) out[k] = -in[k];
}
