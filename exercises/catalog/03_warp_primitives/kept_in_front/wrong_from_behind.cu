// wrong: answer
// Counts the lanes after this one: the order is reversed.

extern "C" __global__ void keep_positive(const int* in, int* out, int* kept) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const bool keep = mine > 0;
    const unsigned votes = __ballot_sync(0xffffffff, keep);
    const int place = __popc((votes >> lane) >> 1);
    const int count = __popc(votes);
    if (keep) out[32 * blockIdx.x + place] = mine;
    if (lane == 0) kept[blockIdx.x] = count;
}
