// Lanes with the same answer find each other; the lanes with the other answer are the rest.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    const unsigned alike = __match_any_sync(0xffffffff, negative);
    const unsigned negatives = negative ? alike : ~alike;
    out[i] = (negatives & ~(1u << lane)) ? 1 : 0;
}
