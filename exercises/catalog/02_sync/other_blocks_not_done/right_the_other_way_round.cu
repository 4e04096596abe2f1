// The first kernel only reads `data`, the second only changes it.

extern "C" __global__ void first(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = data[i] * data[i];
}

extern "C" __global__ void second(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = out[n - 1 - i];
}
