// wrong: answer
// An atomic addition loses nothing. But several threads still change the same element, and all of them add.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += blockDim.x) {
        atomicAdd(&data[i], 1);
    }
}
