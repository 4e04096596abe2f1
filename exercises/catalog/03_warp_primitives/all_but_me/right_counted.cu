// Counts the negative elements and subtracts the lane's own one.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    const int count = __popc(__ballot_sync(0xffffffff, negative));
    out[i] = count - (negative ? 1 : 0) > 0;
}
