// wrong: budget
// Through shared memory and out again unchanged: the stores still go down a column.

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    __shared__ int tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];
    __syncthreads();
    out[column * n + row] = tile[threadIdx.y][threadIdx.x];
}
