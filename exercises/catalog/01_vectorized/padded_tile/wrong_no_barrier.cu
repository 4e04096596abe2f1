// wrong: race-shared
// The padding is right, but the edit also removed the barrier.

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    __shared__ int tile[32][33];
    tile[y][x] = in[32 * y + x];
    out[32 * y + x] = tile[x][y];
}
