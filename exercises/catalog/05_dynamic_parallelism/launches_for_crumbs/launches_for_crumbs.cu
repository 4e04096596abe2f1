// launches_for_crumbs: the sum of each row of a triangle.
//
// Given   Row r has r + 1 ints and begins at v[r * (r + 1) / 2]: row 0 is v[0], row 1 is v[1] and v[2], and so on.
//         There is one thread per row, in blocks of 32.
// Range   rows is 1, 15, 16, 17, 18, 32, 33 or 40; v has values from -9 to 9.
// Do      sums[r] is the sum of row r.
// Budget  The result is right, but even a row of one element costs a launch. Add up rows of at most 16 elements without
//         a launch, and longer rows in a child: no thread may loop over 40 elements alone.
//
// Read    lesson05-dynamic-parallelism/README.md, "Is it faster?" and row `quicksort`

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

    // TODO: is a launch worth it?
    add_row<<<1, 32>>>(row, r + 1, &sums[r]);
}
