// Each block has half of the vector; within it, neighbouring threads take neighbouring elements.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int half = 512 * blockIdx.x;
    for (int k = 0; k < 8; k++) {
        const int i = half + blockDim.x * k + threadIdx.x;
        if (i < n) out[i] = in[i] * in[i];
    }
}
