// One more word per row: the words of a column are 33 apart.

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    __shared__ int tile[32][33];
    tile[y][x] = in[32 * y + x];
    __syncthreads();
    out[32 * y + x] = tile[x][y];
}
