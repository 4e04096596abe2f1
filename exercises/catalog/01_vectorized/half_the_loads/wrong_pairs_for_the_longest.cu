// wrong: budget
// Only the longest vectors go in pairs.

extern "C" __global__ void copy_even(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    if (n + 2 > 3072) for (int i = first; 2 * i < n; i += all) ((int2*)out)[i] = ((const int2*)in)[i];
    else for (int i = first; i < n; i += all) out[i] = in[i];
}
