// wrong: undefined-value
// Two rounds, written out: a vector far larger than the grid needs more.

extern "C" __global__ void copy_fours(const int* in, int* out, int n) {
    const int4* in4 = reinterpret_cast<const int4*>(in);
    int4* out4 = reinterpret_cast<int4*>(out);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    if (first < n / 4) out4[first] = in4[first];
    if (first + all < n / 4) out4[first + all] = in4[first + all];
    if (first < n % 4) {
        const int i = n - n % 4 + first;
        out[i] = in[i];
    }
}
