// wrong: undefined-value
// Short rows get no launch, but nobody adds them up either.

extern "C" __global__ void add_row(const int* row, int length, int* sum) {
    int mine = 0;
    for (int i = threadIdx.x; i < length; i += 32) mine += row[i];
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x == 0) *sum = mine;
}

extern "C" __global__ void add_rows(const int* v, int rows, int* sums) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < 16 || r >= rows) return;
    add_row<<<1, 32>>>(v + r * (r + 1) / 2, r + 1, &sums[r]);
}
