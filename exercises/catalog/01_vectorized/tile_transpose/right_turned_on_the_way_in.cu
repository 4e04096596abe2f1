// The tile is transposed when it is stored to shared memory, and read along its rows.

extern "C" __global__ void transpose(const int* in, int* out, int n) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    __shared__ int tile[32 * 33];
    tile[threadIdx.x * 33 + threadIdx.y] = in[row * n + column];
    __syncthreads();
    const int turned_row = blockIdx.x * 32 + threadIdx.y;
    const int turned_column = blockIdx.y * 32 + threadIdx.x;
    out[turned_row * n + turned_column] = tile[threadIdx.y * 33 + threadIdx.x];
}
