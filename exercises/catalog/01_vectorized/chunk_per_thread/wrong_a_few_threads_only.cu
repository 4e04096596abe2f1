// wrong: idle
// Eight threads side by side fill a sector, and all others have nothing to do.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= 8) return;
    for (int i = thread; i < n; i += 8) {
        out[i] = in[i] * in[i];
    }
}
