// wrong: budget
// Now the stores are the ones that share a bank.

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    __shared__ int tile[32][32];
    tile[x][y] = in[32 * y + x];
    __syncthreads();
    out[32 * y + x] = tile[y][x];
}
