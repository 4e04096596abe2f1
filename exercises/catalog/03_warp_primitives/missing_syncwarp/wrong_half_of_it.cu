// wrong: race-shared
// Two barriers of half a warp each: a lane of one half loads what the other half stores.

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    __shared__ int cell[32];
    cell[4 * column + row] = in[first + lane];
    __syncwarp(lane < 16 ? 0x0000ffff : 0xffff0000);
    out[first + lane] = cell[lane];
}
