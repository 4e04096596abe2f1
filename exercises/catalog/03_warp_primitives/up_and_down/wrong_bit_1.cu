// wrong: answer
// Partners that differ in bit 1 are two lanes apart.

extern "C" __global__ void swap_pairs(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int other = __shfl_xor_sync(0xffffffff, mine, 2);
    out[32 * blockIdx.x + lane] = other;
}
