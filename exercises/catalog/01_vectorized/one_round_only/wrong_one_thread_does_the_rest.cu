// wrong: idle
// The first thread does everything, and no other thread is needed.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i != 0) return;
    for (int k = 0; k < n; k++) out[k] = -in[k];
}
