// wrong: out-of-bounds
// The last element is n - 1; `<=` lets one thread past the end.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) data[i] = 3 * data[i];
}
