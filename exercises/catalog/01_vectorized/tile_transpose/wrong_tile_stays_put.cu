// wrong: answer
// Each tile is transposed, but stays at its old position.

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    __shared__ int tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];
    __syncthreads();
    out[row * n + column] = tile[threadIdx.x][threadIdx.y];
}
