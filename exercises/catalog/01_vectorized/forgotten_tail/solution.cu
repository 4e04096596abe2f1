// Threads 0 to 2 exist in every grid.

extern "C" __global__ void copy_fours(const int* in, int* out, int n) {
    const int4* in4 = reinterpret_cast<const int4*>(in);
    int4* out4 = reinterpret_cast<int4*>(out);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < n / 4; i += all) {
        out4[i] = in4[i];
    }
    if (first < n % 4) {
        const int i = n - n % 4 + first;
        out[i] = in[i];
    }
}
