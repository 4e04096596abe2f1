// wrong: idle
// One thread is enough for short vectors.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 600) { if (first == 0) for (int i = 0; i < n; i++) data[i] += 1; return; }
    for (int i = first; i < n; i += blockDim.x * gridDim.x) data[i] += 1;
}
