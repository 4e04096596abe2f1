// The block's tile goes through shared memory. One column of padding avoids bank conflicts.

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    __shared__ int tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
