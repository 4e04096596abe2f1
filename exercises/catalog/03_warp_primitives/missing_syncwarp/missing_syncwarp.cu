// missing_syncwarp: a warp is not in step
//
// Each block is one warp. It reads 32 elements as a table of 4 rows of 8 and writes the transposed
// table, 8 rows of 4: out[4 * column + row] = in[8 * row + column]. The exchange goes through
// shared memory.
//
// "All threads are in one warp. A warp does everything at the same time, so no barrier is needed."
// Older books say so.
//
// Range   gridDim.x is from 1 to 4; in has values from -99 to 99.
// Do      Add what is missing. A barrier of the whole block is enough; a smaller one is, too.
// Read    lesson03-warp-primitives/README.md, "A lane is a thread"; cargo learn explain race-shared

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    __shared__ int cell[32];
    cell[4 * column + row] = in[first + lane];
    // TODO: another lane stores what this one loads
    out[first + lane] = cell[lane];
}
