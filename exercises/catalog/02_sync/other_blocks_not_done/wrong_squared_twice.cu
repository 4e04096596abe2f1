// wrong: answer
// The second kernel squares again what the first has squared.

extern "C" __global__ void first(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
}

extern "C" __global__ void second(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = data[n - 1 - i] * data[n - 1 - i];
}
