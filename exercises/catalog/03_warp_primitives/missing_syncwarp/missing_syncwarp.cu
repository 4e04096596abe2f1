// missing_syncwarp: a warp is not in step
//
// Each block is one warp. It takes 32 elements as a table of 4 rows of 8 and writes them out as 8
// rows of 4, rows and columns changed: out[4 * column + row] = in[8 * row + column]. The exchange
// goes through shared memory.
//
// "All threads are in one warp, and a warp does everything at the same time, so no barrier is
// needed." Older books say so.
//
// Do       Put in what is missing. A barrier of the whole block would do; a smaller one does too.
// Read on  lesson03-warp-primitives/README.md, "A lane is a thread"; cargo learn explain race-shared

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    __shared__ int cell[32];
    cell[4 * column + row] = in[first + lane];
    // TODO: another lane has stored what this one loads
    out[first + lane] = cell[lane];
}
