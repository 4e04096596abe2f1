// The block is one warp, so the block's barrier is enough.

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    __shared__ int cell[32];
    cell[lane] = in[first + lane];
    __syncthreads();
    out[first + 4 * column + row] = cell[lane];
}
