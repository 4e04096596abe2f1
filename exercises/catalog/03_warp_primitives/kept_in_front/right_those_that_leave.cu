// Each lane moves its element forward by the number of lanes before it that do not keep theirs.

extern "C" __global__ void keep_positive(const int* in, int* out, int* kept) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const bool keep = mine > 0;
    const unsigned votes = __ballot_sync(0xffffffff, keep);
    const int place = lane - __popc(~votes & ((1u << lane) - 1));
    const int count = 32 - __popc(~votes);
    if (keep) out[32 * blockIdx.x + place] = mine;
    if (lane == 0) kept[blockIdx.x] = count;
}
