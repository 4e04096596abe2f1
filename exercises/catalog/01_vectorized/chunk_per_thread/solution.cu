// In each round the grid takes a stretch of its own length, and neighbouring lanes take neighbours.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = thread; i < n; i += gridDim.x * blockDim.x) {
        out[i] = in[i] * in[i];
    }
}
