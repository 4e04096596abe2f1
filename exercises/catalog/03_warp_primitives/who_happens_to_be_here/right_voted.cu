// A vote waits for all lanes it names, so every lane gets the same mask.

extern "C" __global__ void digit_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = 0;
    #pragma unroll 1
    for (int rest = in[32 * blockIdx.x + lane]; rest > 0; rest /= 10) sum += rest % 10;
    const unsigned mask = __ballot_sync(0xffffffff, true);
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(mask, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
