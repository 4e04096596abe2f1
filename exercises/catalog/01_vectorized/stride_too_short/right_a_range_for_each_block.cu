// A stride of one block is right if each block has its own range.

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int share = (n + gridDim.x - 1) / gridDim.x;
    const int end = min(n, (int)(blockIdx.x + 1) * share);
    for (int i = blockIdx.x * share + threadIdx.x; i < end; i += blockDim.x) {
        data[i] += 1;
    }
}
