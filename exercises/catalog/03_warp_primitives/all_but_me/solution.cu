// All lanes take part; the lane's own answer is left out afterwards.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    const unsigned others = ~(1u << lane);
    const unsigned votes = __ballot_sync(0xffffffff, negative);
    out[i] = (votes & others) != 0;
}
