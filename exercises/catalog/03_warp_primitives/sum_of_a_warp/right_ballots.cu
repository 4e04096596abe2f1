// Bit by bit: a ballot tells in how many lanes a bit is set. Unsigned, since the sum of negative numbers wraps.

extern "C" __global__ void warp_sums(const int* in, int* sums) {
    const int own = in[32 * blockIdx.x + threadIdx.x];
    unsigned sum = 0;
    for (int bit = 0; bit < 32; bit++) {
        const unsigned lanes = __popc(__ballot_sync(0xffffffffu, own >> bit & 1));
        sum += lanes << bit;
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
