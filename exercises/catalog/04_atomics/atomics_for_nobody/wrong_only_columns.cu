// wrong: budget
// The column's atomics are removed, but there is still one for the total per element.

extern "C" __global__ void sum_columns(const int* table, int width, int height, int* column, int* total) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;

    int sum = 0;
    for (int row = 0; row < height; row++) {
        sum += table[row * width + c];
        atomicAdd(total, table[row * width + c]);
    }
    column[c] = sum;
}
