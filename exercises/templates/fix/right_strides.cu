// A grid-stride loop: it is right for every grid.

extern "C" __global__ void doubled(int* v, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v[i] += v[i];
}
