// wrong: answer
// Values up to 15 have four bits.

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    unsigned alike = 0xffffffff;
    for (int bit = 0; bit < 3; bit++) {
        const bool one = mine >> bit & 1;
        const unsigned votes = __ballot_sync(0xffffffff, one);
        alike &= one ? votes : ~votes;
    }
    const int count = __popc(alike);
    out[32 * blockIdx.x + lane] = count;
}
