// wrong: answer
// A thread steps over one element that is its own, each time.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += 2 * blockDim.x * gridDim.x) {
        data[i] += 1;
    }
}
