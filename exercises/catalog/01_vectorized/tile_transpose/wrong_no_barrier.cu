// wrong: race-shared
// Through shared memory, but without waiting for the threads that fill it.

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    __shared__ int tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
