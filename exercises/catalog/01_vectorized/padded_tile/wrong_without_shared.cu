// wrong: budget
// Without shared memory it has no bank conflicts, but the columns are in global memory instead.

extern "C" __global__ void turn_tiles(const int* in, int* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    in += 1024 * blockIdx.x;
    out += 1024 * blockIdx.x;
    out[32 * y + x] = in[32 * x + y];
}
