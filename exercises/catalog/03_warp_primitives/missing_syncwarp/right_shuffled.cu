// The element comes directly from the lane that has it, without memory.

extern "C" __global__ void turn(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int first = 32 * blockIdx.x;
    const int row = lane / 8, column = lane % 8;
    const int from = lane % 4 * 8 + lane / 4;
    out[first + lane] = __shfl_sync(0xffffffff, in[first + lane], from);
}
