// Threads without an element do nothing.

extern "C" __global__ void doubled(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 2 * v[i];
}
