// wrong: budget
// The limit is one too small: a row of 16 elements still gets a grid.

extern "C" __global__ void add_row(const int* row, int length, int* sum) {
    int mine = 0;
    for (int i = threadIdx.x; i < length; i += 32) mine += row[i];
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x == 0) *sum = mine;
}

extern "C" __global__ void add_rows(const int* v, int rows, int* sums) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const int* row = v + r * (r + 1) / 2;
    if (r < 15) {
        int sum = 0;
        for (int i = 0; i <= r; i++) sum += row[i];
        sums[r] = sum;
    } else {
        add_row<<<1, 32>>>(row, r + 1, &sums[r]);
    }
}
