// wrong: undefined-value
// A second iteration but no third: enough for 512 elements only.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = -in[i];
    if (i + 256 < n) out[i + 256] = -in[i + 256];
}
