// wrong: absent-lane
// A lane with nothing to add leaves. No lane waits for it, and its neighbour still reads it.

extern "C" __global__ void digit_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    if (in[32 * blockIdx.x + lane] == 0) return;
    int sum = 0;
    #pragma unroll 1
    for (int rest = in[32 * blockIdx.x + lane]; rest > 0; rest /= 10) sum += rest % 10;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
