// The block is one warp, so the block's barrier is enough.

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int column = lane / 4, row = lane % 4;
    __shared__ int cell[32];
    cell[lane] = in[first + lane];
    __syncthreads();
    out[first + lane] = cell[8 * row + column];
}
