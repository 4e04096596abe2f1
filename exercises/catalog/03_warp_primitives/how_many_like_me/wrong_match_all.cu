// wrong: answer
// __match_all_sync() says whether all lanes agree. Here they hardly ever do.

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    int all;
    const int count = __popc(__match_all_sync(0xffffffff, mine, &all));
    out[32 * blockIdx.x + lane] = count;
}
