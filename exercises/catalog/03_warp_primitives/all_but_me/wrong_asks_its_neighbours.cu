// wrong: mask-mismatch
// Only the lanes to the left are asked: again one mask per lane, and the caller is not in it.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    const unsigned votes = __ballot_sync((1u << lane) - 1, negative);
    out[i] = votes != 0;
}
