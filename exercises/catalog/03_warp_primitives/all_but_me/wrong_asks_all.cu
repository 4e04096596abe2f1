// wrong: answer
// All lanes are asked, the caller too: the only negative element finds itself.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    out[i] = __any_sync(0xffffffff, negative) ? 1 : 0;
}
