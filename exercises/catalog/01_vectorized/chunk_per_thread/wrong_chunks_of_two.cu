// wrong: budget
// Smaller chunks waste less, but they still visit each sector twice.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 2 * thread; i < n; i += 2 * gridDim.x * blockDim.x) {
        out[i] = in[i] * in[i];
        if (i + 1 < n) out[i + 1] = in[i + 1] * in[i + 1];
    }
}
