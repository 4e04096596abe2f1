// wrong: answer
// A plain copy is not reversed.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
