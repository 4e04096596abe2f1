// wrong: budget
// One thread per row: each of the eight reads of a warp touches addresses 32 bytes apart.

extern "C" __global__ void sum_rows(const int* v, int rows, int* sums) {
    const int first = blockIdx.x * 8 + threadIdx.x;
    if (threadIdx.x >= 8 || first >= rows) return;
    int sum = 0;
    for (int c = 0; c < 8; c++) sum += v[8 * first + c];
    sums[first] = sum;
}
