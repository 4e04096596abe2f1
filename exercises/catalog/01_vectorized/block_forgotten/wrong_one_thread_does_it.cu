// wrong: idle
// One thread copies everything. The answer is right, but the rest of the GPU has no work.

extern "C" __global__ void copy(const int* in, int* out, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; i++) out[i] = in[i];
    }
}
