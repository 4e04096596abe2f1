// wrong: race-shared
// The barrier comes after the load.

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    __shared__ int cell[32];
    cell[4 * column + row] = in[first + lane];
    const int turned = cell[lane];
    __syncwarp();
    out[first + lane] = turned;
}
