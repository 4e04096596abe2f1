// wrong: undefined-value
// The line with the data race is removed, and is now missing.

extern "C" __global__ void first(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
}

extern "C" __global__ void second(int* data, int* out, int n) {
}
