// wrong: budget
// No launches at all. The compiler unrolls the loop, but its loads stay: 32 rows at once, element by element.

extern "C" __global__ void add_rows(const int* v, int rows, int* sums) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const int* row = v + r * (r + 1) / 2;
    int sum = 0;
    for (int i = 0; i <= r; i++) sum += row[i];
    sums[r] = sum;
}
