// wrong: misaligned
// A pair begins at every int: those at odd ints are misaligned.

extern "C" __global__ void copy_even(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < n - 1; i += all) {
        *reinterpret_cast<int2*>(&out[i]) = *reinterpret_cast<const int2*>(&in[i]);
    }
}
