// wrong: answer
// Each time, a thread skips one of its own elements.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += 2 * blockDim.x * gridDim.x) {
        data[i] += 1;
    }
}
