// wrong: race-scope
// The total's atomic has block scope, which is cheaper. But there are several blocks.

extern "C" __global__ void sum_columns(const int* table, int width, int height, int* column, int* total) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;

    int sum = 0;
    for (int row = 0; row < height; row++) sum += table[row * width + c];
    column[c] = sum;
    atomicAdd_block(total, sum);
}
