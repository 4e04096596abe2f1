// wrong: out-of-bounds
// Always six iterations, even if there are fewer elements.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < 6; round++) out[i + 256 * round] = -in[i + 256 * round];
}
