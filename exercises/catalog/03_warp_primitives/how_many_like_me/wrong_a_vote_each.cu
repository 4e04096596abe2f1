// wrong: budget
// One vote for each of the sixteen values: half as many meetings, but still four times too many.

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    int count = 0;
    for (int value = 0; value < 16; value++) {
        const unsigned votes = __ballot_sync(0xffffffff, mine == value);
        if (mine == value) count = __popc(votes);
    }
    out[32 * blockIdx.x + lane] = count;
}
