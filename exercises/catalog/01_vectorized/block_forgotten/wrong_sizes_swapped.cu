// wrong: undefined-value
// Thread and block are swapped. All numbers differ, and most are beyond n.

extern "C" __global__ void copy(const int* in, int* out, int n) {
    const int i = threadIdx.x * blockDim.x + blockIdx.x;
    if (i < n) out[i] = in[i];
}
