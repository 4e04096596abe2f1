// atomics_for_nobody: the sum of each column of a table, and the sum of the whole table.
//
// Given   table has height rows of width ints. One thread per column, in blocks of 64. column and *total are 0.
// Range   width is from 1 to 100; height is from 1 to 12; table has values from 0 to 9.
// Do      column[c] is the sum of column c; *total is the sum of the whole table.
// Budget  The result is right. But it takes two atomic instructions per element. Use at most one per warp.
//         "Atomics are safe" is no reason to use one.
//
// Read    lesson04-atomics/README.md, "Why"; docs/counters.md

extern "C" __global__ void sum_columns(const int* table, int width, int height, int* column, int* total) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;

    for (int row = 0; row < height; row++) {
        // TODO: which of these atomics meets another thread, and how often must it?
        atomicAdd(&column[c], table[row * width + c]);
        atomicAdd(total, table[row * width + c]);
    }
}
