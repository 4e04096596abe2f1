// wrong: out-of-bounds
// The index of an int2 counts pairs, the loop's limit counts ints.

extern "C" __global__ void copy_even(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int2* in2 = reinterpret_cast<const int2*>(in);
    int2* out2 = reinterpret_cast<int2*>(out);
    for (int i = first; i < n; i += all) {
        out2[i] = in2[i];
    }
}
