// All threads of the grid share the vector, so the stride is the number of threads in the grid.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += blockDim.x * gridDim.x) {
        data[i] += 1;
    }
}
