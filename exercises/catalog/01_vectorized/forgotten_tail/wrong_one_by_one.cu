// wrong: budget
// No fours, no tail, and four times the loads.

extern "C" __global__ void copy_fours(const int* in, int* out, int n) {
    const int4* in4 = reinterpret_cast<const int4*>(in);
    int4* out4 = reinterpret_cast<int4*>(out);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += all) {
        out[i] = in[i];
    }
}
