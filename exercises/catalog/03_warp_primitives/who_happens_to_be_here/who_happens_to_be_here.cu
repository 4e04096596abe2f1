// who_happens_to_be_here: who happens to be here
//
// Each block is one warp. Each lane adds up the decimal digits of its element, and the warp adds up
// the 32 sums. The loop over the digits has one to five rounds, so lanes leave it at different times.
//
// The author did not want to think about the mask and has asked the hardware for it. On one H200 sums
// of this kind were right in 1000 of 1000 launches: there the lanes meet again behind the loop. No
// rule says that they do, and in real projects this call has lost data.
//
// Do       Give the shuffles a mask that is right whatever the hardware does. One load an element.
// Read on  lesson03-warp-primitives/README.md, row `activemask_sum`; cargo learn explain absent-lane

extern "C" __global__ void digit_sums(const int* in, int* sums) {
    const int lane = threadIdx.x;
    int sum = 0;
    #pragma unroll 1
    for (int rest = in[32 * blockIdx.x + lane]; rest > 0; rest /= 10) sum += rest % 10;
    const unsigned mask = __activemask(); // TODO: who is going to be there?
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(mask, sum, offset);
    }
    if (lane == 0) sums[blockIdx.x] = sum;
}
