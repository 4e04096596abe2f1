// wrong: race-shared
// A vote makes the lanes wait for each other. It exchanges registers, but it does not order memory.

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    __shared__ int cell[32];
    cell[4 * column + row] = in[first + lane];
    __all_sync(0xffffffff, 1);
    out[first + lane] = cell[lane];
}
