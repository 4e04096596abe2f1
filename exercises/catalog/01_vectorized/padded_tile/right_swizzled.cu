// No padding: the column is combined with the row by exclusive or.

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    __shared__ int tile[1024];
    tile[32 * y + (x ^ y)] = in[32 * y + x];
    __syncthreads();
    out[32 * y + x] = tile[32 * x + (x ^ y)];
}
