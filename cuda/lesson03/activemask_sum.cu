// lesson03/activemask_sum.cu: n elements, a block of more threads, one sum per warp. Where does the mask come from?
//
// Idea      __activemask() tells which lanes happen to run together here and now. It does not tell which
//           lanes will be here: lanes that left a loop earlier may be past this line.
// Broken    The mask of the shuffles is __activemask(), called inside the branch, after a loop that
//           lanes leave at different times. n is a multiple of 32, so that only the mask is wrong.
// Correct   Every thread takes part, those without an element with 0, and the mask is full.
// Ladder    ballot: the mask comes from __ballot_sync(), which waits for all 32 lanes. It gives the
//           same mask to each, even if the warp is split.
// Contract  One block of 32, 64, ... threads, at least n; v has n elements; sums has one int per warp
//           with elements, n / 32 in all; masks has one element for each of these n threads: the mask
//           it used. n is a multiple of 32; correct takes any n, and has a sum per warp and a mask per thread.
// Expect    broken: absent-lane whenever the warp is split at __activemask(). In order, and on most
//           hardware, the lanes meet again after the loop, and nothing shows. all others:
//           no findings, the exact sums.
// PTX       activemask_sum_broken: bra; activemask; shfl.sync.down; st.global; never vote
// PTX       activemask_sum_correct: shfl.sync.down; st.global; never activemask
// PTX       activemask_sum_ballot: vote.sync.ballot; bra; shfl.sync.down; st.global; never activemask

#define FULL_MASK 0xffffffffu

// How many steps x takes to reach 1: tripled and one more if odd, halved if even. Each lane has its own number.
__device__ int steps(unsigned x) {
    int rounds = 0;
    for (; x > 1; ++rounds) {
        x = x % 2 ? 3 * x + 1 : x / 2;
    }
    return rounds;
}

extern "C" __global__ void activemask_sum_broken(const unsigned* v, unsigned n, int* sums, unsigned* masks) {
    const unsigned t = threadIdx.x;
    if (t < n) {
        int sum = steps(v[t]);
        const unsigned mask = __activemask();
        for (int offset = 16; offset > 0; offset /= 2) {
            // BUG: mask holds only the lanes that left the loop together, but the tree needs all 32.
            sum += __shfl_down_sync(mask, sum, offset);
        }
        masks[t] = mask;
        if (t % 32 == 0) sums[t / 32] = sum;
    }
}

extern "C" __global__ void activemask_sum_correct(const unsigned* v, unsigned n, int* sums, unsigned* masks) {
    const unsigned t = threadIdx.x;
    // FIX: every lane takes part, so the mask is known when you write the code.
    int sum = t < n ? steps(v[t]) : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    masks[t] = FULL_MASK;
    if (t % 32 == 0) sums[t / 32] = sum;
}

extern "C" __global__ void activemask_sum_ballot(const unsigned* v, unsigned n, int* sums, unsigned* masks) {
    const unsigned t = threadIdx.x;
    const unsigned mask = __ballot_sync(FULL_MASK, t < n);
    if (t < n) {
        int sum = steps(v[t]);
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(mask, sum, offset);
        }
        masks[t] = mask;
        if (t % 32 == 0) sums[t / 32] = sum;
    }
}
