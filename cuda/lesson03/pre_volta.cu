// lesson03/pre_volta.cu: tickets for the threads that want one, one atomic per warp, in the form of today.
//
// Idea      Make the mask where all lanes are known to be there. Give it to every function after that.
// Correct   All 32 lanes vote before the branch; inside it the mask says who takes part.
// Contract  Blocks of a multiple of 32 threads, at least n threads; n <= 2^31; want and tickets have n elements,
//           of which tickets' are written where want is not 0; count is one unsigned that starts at 0.
// Expect    no findings; the tickets are 0 .. count, each once. Its older form is a compile-fail.
// PTX       pre_volta_correct: vote.sync.ballot; bra; atom.global.add; shfl.sync.idx; st.global; never activemask

#define FULL_MASK 0xffffffffu

extern "C" __global__ void pre_volta_correct(const unsigned* want, unsigned n, unsigned* count, unsigned* tickets) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const bool wants = i < n && want[i] != 0;
    // FIX: a thread after the last element votes too, and votes no.
    const unsigned mask = __ballot_sync(FULL_MASK, wants);
    if (wants) {
        const unsigned leader = __ffs(mask) - 1;
        unsigned first = 0;
        if (lane == leader) first = atomicAdd(count, __popc(mask));
        first = __shfl_sync(mask, first, leader);
        tickets[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}
