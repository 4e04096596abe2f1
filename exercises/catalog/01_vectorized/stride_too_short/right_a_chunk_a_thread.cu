// Each thread has a contiguous chunk of elements, so no other thread has one of them.

extern "C" __global__ void add_one(int* data, int n) {
    const int all = gridDim.x * blockDim.x;
    const int chunk = (n + all - 1) / all;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    const int end = min(first + chunk, n);
    for (int i = first; i < end; i++) data[i] += 1;
}
