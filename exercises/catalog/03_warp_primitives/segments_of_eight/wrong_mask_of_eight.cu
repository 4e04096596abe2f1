// wrong: mask-mismatch
// The mask says which lanes call. It names eight lanes, and 32 call.

extern "C" __global__ void from_the_first(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int first = __shfl_sync(0x000000ff, mine, 0);
    out[32 * blockIdx.x + lane] = mine - first;
}
