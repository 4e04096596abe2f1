// The block's total is computed in shared memory.

extern "C" __global__ void sum_columns(const int* table, int width, int height, int* column, int* total) {
    __shared__ int block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < width) {
        int sum = 0;
        for (int row = 0; row < height; row++) sum += table[row * width + c];
        column[c] = sum;
        atomicAdd(&block_total, sum);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, block_total);
}
