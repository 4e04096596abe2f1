// wrong: out-of-bounds
// Each warp reverses its 32 elements in registers. The last warp of a block may have fewer threads.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    const int lane = t % 32;
    const int value = __shfl_sync(0xffffffff, in[t], 31 - lane);
    out[n - 32 - (t - lane) + lane] = value;
}
