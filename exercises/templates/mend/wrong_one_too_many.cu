// wrong: out-of-bounds
// n elements end at n - 1.

extern "C" __global__ void doubled(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) v[i] = 2 * v[i];
}
