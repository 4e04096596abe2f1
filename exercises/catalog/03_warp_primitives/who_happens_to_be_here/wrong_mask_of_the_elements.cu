// wrong: mask-mismatch
// A vote for the mask, but on the elements. A lane with an element of 0 calls too, and is not named.

extern "C" __global__ void digit_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = 0;
    #pragma unroll 1
    for (int rest = in[32 * blockIdx.x + lane]; rest > 0; rest /= 10) sum += rest % 10;
    const unsigned mask = __ballot_sync(0xffffffff, in[32 * blockIdx.x + lane] != 0);
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(mask, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
