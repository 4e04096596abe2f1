// Four votes, one for each bit of the value: lanes that agree in all four are equal.

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    unsigned alike = 0xffffffff;
    for (int bit = 0; bit < 4; bit++) {
        const bool one = mine >> bit & 1;
        const unsigned votes = __ballot_sync(0xffffffff, one);
        alike &= one ? votes : ~votes;
    }
    const int count = __popc(alike);
    out[32 * blockIdx.x + lane] = count;
}
