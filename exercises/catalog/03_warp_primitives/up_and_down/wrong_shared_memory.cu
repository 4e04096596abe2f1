// wrong: race-shared
// Through shared memory, but without a barrier of the warp.

extern "C" __global__ void swap_pairs(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    __shared__ int cell[32];
    cell[lane] = mine;
    const int other = cell[lane ^ 1];
    out[32 * blockIdx.x + lane] = other;
}
