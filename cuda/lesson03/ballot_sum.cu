// lesson03/ballot_sum.cu: n elements, a block of more threads, one sum per warp. The mask comes from a vote.
//
// Idea      A mask with the right lanes is not enough: the lanes must also read only each other.
// Broken    The mask comes from __ballot_sync() and is the same for all. But the offsets are those
//           of a full warp: with n = 20, lane 4 reads lane 20, which is not in the mask.
//           Right if n is a multiple of 32, wrong for every other n.
// Correct   Every thread takes part, those without an element with 0, and the mask is full.
// Contract  One block of 32, 64, ... threads, at least n; v has n ints, sums one per warp with an
//           element; correct: one per warp. Sums fit in an int.
// Expect    broken: absent-lane if n is not a multiple of 32. correct: no findings, the exact sums.
// PTX       ballot_sum_broken: vote.sync.ballot; bra; shfl.sync.down; st.global
// PTX       ballot_sum_correct: shfl.sync.down; st.global; never vote

#define FULL_MASK 0xffffffffu

extern "C" __global__ void ballot_sum_broken(const int* v, unsigned n, int* sums) {
    const unsigned t = threadIdx.x;
    const unsigned mask = __ballot_sync(FULL_MASK, t < n);
    if (t < n) {
        int sum = v[t];
        for (int offset = 16; offset > 0; offset /= 2) {
            // BUG: lane + offset may be a lane that is not in the mask.
            sum += __shfl_down_sync(mask, sum, offset);
        }
        if (t % 32 == 0) sums[t / 32] = sum;
    }
}

extern "C" __global__ void ballot_sum_correct(const int* v, unsigned n, int* sums) {
    const unsigned t = threadIdx.x;
    // FIX: lanes without an element bring a 0, and a lane that reads them adds 0.
    int sum = t < n ? v[t] : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    if (t % 32 == 0) sums[t / 32] = sum;
}
