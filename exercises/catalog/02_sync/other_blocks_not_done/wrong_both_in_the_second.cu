// wrong: race-global
// Everything has moved to the second kernel, and the problem with it.

extern "C" __global__ void first(int* data, int* out, int n) {
}

extern "C" __global__ void second(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    data[i] *= data[i];
    out[i] = data[n - 1 - i];
}
