// wrong: budget
// No launches at all: one thread per row, however long the row is.

extern "C" __global__ void add_rows(const int* v, int rows, int* sums) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const int* row = v + r * (r + 1) / 2;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i <= r; i++) sum += row[i];
    sums[r] = sum;
}
