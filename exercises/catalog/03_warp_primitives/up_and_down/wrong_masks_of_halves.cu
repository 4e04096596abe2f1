// wrong: absent-lane
// Each call names the lanes that make it. But these lanes read lanes that are not in the mask.

extern "C" __global__ void swap_pairs(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    int other;
    if (lane % 2 == 0) {
        other = __shfl_down_sync(0x55555555, mine, 1);
    } else {
        other = __shfl_up_sync(0xaaaaaaaa, mine, 1);
    }
    out[32 * blockIdx.x + lane] = other;
}
