// wrong: out-of-bounds
// The element opposite the first one is n - 1, not n.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - i];
}
