// wrong: budget
// Two ints per iteration, with two loads and two stores: fewer iterations, but as many accesses.

extern "C" __global__ void copy_even(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = 2 * first; i < n; i += 2 * all) {
        out[i] = in[i];
        out[i + 1] = in[i + 1];
    }
}
