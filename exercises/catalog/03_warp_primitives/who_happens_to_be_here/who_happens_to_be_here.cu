// who_happens_to_be_here: who happens to be here
//
// Each lane of a warp adds up the decimal digits of its element; then the warp adds up the 32 sums.
// The loop over the digits has one to five iterations, so lanes leave it at different times.
//
// The author let the hardware choose the mask. On one H200 such sums were right in 1000 of 1000
// launches. But no rule makes the lanes meet again after the loop: real projects have lost data.
//
// Range   gridDim.x is from 1 to 4; in has values from 0 to 99999.
// Do      Give the shuffles a mask that is right on every hardware. One load per element.
// Read    lesson03-warp-primitives/README.md, row `activemask_sum`; cargo learn explain absent-lane

extern "C" __global__ void digit_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = 0;
    #pragma unroll 1
    for (int rest = in[32 * blockIdx.x + lane]; rest > 0; rest /= 10) sum += rest % 10;
    // TODO: which lanes will be there?
    const unsigned mask = __activemask();
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(mask, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
