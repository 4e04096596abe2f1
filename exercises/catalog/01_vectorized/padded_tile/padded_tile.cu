// padded_tile: all in one bank
//
// Each block of 32 x 32 threads transposes a tile of 32 x 32 ints: element (row, column) goes to
// (column, row). It uses shared memory, because there a column costs almost no more than a row.
//
// Shared memory has 32 banks, and word k is in bank k % 32. In one pass each bank gives one word.
// The lanes of a warp load tile[0][y], tile[1][y], ... tile[31][y]: 32 words of one bank. So one
// load takes 32 passes.
//
// Range    gridDim.x is 1 or 2.
// Do       Bring the extra passes ("bank conflicts") down to 0, for loads and stores. In global
//          memory, each warp must still go along a row.
// Read     cuda/lesson03/transpose.cu; the counters of `cargo run -p lesson03-warp-primitives`

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    // TODO: the words of a column should not share a bank
    __shared__ int tile[32][32];
    tile[y][x] = in[32 * y + x];
    __syncthreads();
    out[32 * y + x] = tile[x][y];
}
