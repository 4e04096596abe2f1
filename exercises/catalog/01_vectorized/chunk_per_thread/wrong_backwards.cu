// wrong: budget
// The chunk from its end: another order, but the lanes of a warp are as far apart as before.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 7; k >= 0; k--) {
        const int i = 8 * thread + k;
        if (i < n) out[i] = in[i] * in[i];
    }
}
