// A running sum of ones and zeros, by shuffles.

extern "C" __global__ void keep_positive(const int* in, int* out, int* kept) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const bool keep = mine > 0;
    int place = keep;
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(0xffffffff, place, offset);
        if (lane >= offset) place += left;
    }
    const int count = __shfl_sync(0xffffffff, place, 31);
    place -= keep;
    if (keep) out[32 * blockIdx.x + place] = mine;
    if (lane == 0) kept[blockIdx.x] = count;
}
