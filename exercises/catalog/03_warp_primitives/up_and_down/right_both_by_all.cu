// All lanes make both calls, and each keeps the one it needs.

extern "C" __global__ void swap_pairs(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int above = __shfl_down_sync(0xffffffff, mine, 1);
    const int below = __shfl_up_sync(0xffffffff, mine, 1);
    const int other = lane % 2 == 0 ? above : below;
    out[32 * blockIdx.x + lane] = other;
}
