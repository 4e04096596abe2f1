// wrong: race-global
// Uses the number of blocks, not the number of threads: a stride of 3.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x) {
        data[i] += 1;
    }
}
