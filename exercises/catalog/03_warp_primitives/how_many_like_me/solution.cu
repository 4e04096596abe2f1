// The lanes that hold the same value, in one word.

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int count = __popc(__match_any_sync(0xffffffff, mine));
    out[32 * blockIdx.x + lane] = count;
}
