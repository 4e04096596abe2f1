// Computes the number of iterations first.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int rounds = (n + all - 1) / all;
    for (int round = 0; round < rounds; round++) {
        const int i = round * all + first;
        if (i < n) data[i]++;
    }
}
