// wrong: answer
// A mask with the own lane alone: everybody is right about being there, and nobody hears of others.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    const unsigned votes = __ballot_sync(1u << lane, negative);
    out[i] = votes != 0;
}
