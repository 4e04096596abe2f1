// tile_transpose: transpose in shared memory
//
// The kernel transposes a matrix of n x n ints: element (row, column) of `in` becomes element
// (column, row) of `out`. n is a multiple of 32, and each block of 32 x 32 threads does one tile.
//
// Memory comes in sectors of 32 bytes, 8 ints. The loads go along a row, 32 lanes side by side: 4
// sectors. The stores go down a column: 32 sectors for the same 128 bytes. Swapping the roles of x
// and y only moves the problem to the loads.
//
// Range    n is 32 or 64.
// Do       Transpose the tile in shared memory, so that loads and stores both go along a row. The
//          budget is one visit to each sector, in `in` and in `out`.
// Read     lesson01-vectorized/README.md, "What a load costs"; lesson02-sync/README.md on barriers

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    // TODO: neighbouring lanes store n elements apart
    out[column * n + row] = in[row * n + column];
}
