// Any type of 8 bytes works.

extern "C" __global__ void copy_even(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = 2 * first; i < n; i += 2 * all) {
        *reinterpret_cast<unsigned long long*>(&out[i]) = *reinterpret_cast<const unsigned long long*>(&in[i]);
    }
}
