// No padding: each row is stored rotated by its own number.

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    __shared__ int tile[32][32];
    tile[y][(x + y) % 32] = in[32 * y + x];
    __syncthreads();
    out[32 * y + x] = tile[x][(x + y) % 32];
}
