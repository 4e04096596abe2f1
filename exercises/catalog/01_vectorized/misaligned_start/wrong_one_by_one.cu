// wrong: budget
// Single ints are aligned everywhere, but cost four times the loads.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += all) out[skip + i] = in[skip + i];
}
