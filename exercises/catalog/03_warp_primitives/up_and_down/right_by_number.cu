// Each lane names the lane it reads.

extern "C" __global__ void swap_pairs(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int source = lane % 2 == 0 ? lane + 1 : lane - 1;
    const int other = __shfl_sync(0xffffffff, mine, source);
    out[32 * blockIdx.x + lane] = other;
}
