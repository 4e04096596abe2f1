// never_wrong_here: right in 1000 of 1000 launches
//
// Each lane adds up the decimal digits of its element, and the warp adds up the 32 sums, with the
// mask of __activemask(). It is the kernel of the exercise who_happens_to_be_here. On one H200 a
// kernel like this was right in 1000 of 1000 launches.
//
// Find a run in which the sum is wrong. A schedule decides which warp runs next, and whether the
// lanes of a warp stay together: `in-order`, `reverse`, or, with a seed after the name, `random 5`,
// `pct 5`, `adversarial 5`.
//
// The kernel stays as it is. No compiler is needed.
// Range   in has values from 0 to 99999.
// Read    lesson03-warp-primitives/README.md, row `activemask_sum`
//
// TODO: name a schedule, and a seed, under which the sum is wrong.
// SCHEDULE: ?

extern "C" __global__ void digit_sum(const int* in, int* sum) {
    const int lane = threadIdx.x;
    int digits = 0;
    #pragma unroll 1
    for (int rest = in[lane]; rest > 0; rest /= 10) digits += rest % 10;

    const unsigned mask = __activemask();
    for (int offset = 16; offset > 0; offset /= 2) {
        digits += __shfl_down_sync(mask, digits, offset);
    }
    if (lane == 0) *sum = digits;
}
