// wrong: budget
// Now the stores go along a row, and the loads go down a column.

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    out[row * n + column] = in[column * n + row];
}
