// wrong: answer
// Right for the grid of 4 blocks alone: with another one the stride is not the number of threads.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += 256) out[i] = -in[i];
}
