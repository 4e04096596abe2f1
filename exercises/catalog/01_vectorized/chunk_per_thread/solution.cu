// In each iteration the grid takes the next part of the vector, and neighbouring lanes take neighbouring elements.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = thread; i < n; i += gridDim.x * blockDim.x) {
        out[i] = in[i] * in[i];
    }
}
