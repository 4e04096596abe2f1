// By hand: three shuffles of width 8.

extern "C" __global__ void sum_rows(const int* v, int rows, int* sums) {
    const int row = blockIdx.x * 8 + threadIdx.x / 8;
    int sum = row < rows ? v[blockIdx.x * 64 + threadIdx.x] : 0;
    sum += __shfl_down_sync(0xffffffffu, sum, 4, 8);
    sum += __shfl_down_sync(0xffffffffu, sum, 2, 8);
    sum += __shfl_down_sync(0xffffffffu, sum, 1, 8);
    if (threadIdx.x % 8 == 0 && row < rows) sums[row] = sum;
}
