// wrong: undefined-value
// Four rounds of 128 pairs, unrolled by hand: enough for 1024 ints and no more.

extern "C" __global__ void copy_even(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int2* in2 = reinterpret_cast<const int2*>(in);
    int2* out2 = reinterpret_cast<int2*>(out);
    for (int round = 0; round < 4; round++) {
        const int i = first + round * all;
        if (i < n / 2) out2[i] = in2[i];
    }
}
