// lesson06/agg_inc.cu: one atomic for all threads that run together, and a number for each of them.
//
// Idea      coalesced_threads() counts and ranks the threads that run together here. One of them asks the counter for all,
//           and must then tell the others.
// Broken    The leader does not tell them. They use their own register `first`, which they never wrote.
// Correct   group.shfl() gives the leader's answer to all. filter: the same for the values that a filter keeps.
// Contract  as many threads as cover n, blocks a multiple of 32; *count starts at 0. broken, correct: v and tickets
//           have n; a thread whose v is positive gets a ticket, below n; others leave theirs unchanged. filter: tickets gets the
//           positive values themselves.
// Expect    broken: undefined-value. correct: no findings, tickets 0 to *count - 1, each once. filter: no findings, the
//           positive values in some order.
// PTX       agg_inc_broken: activemask; atom.global.add; st.global; never shfl
// PTX       agg_inc_correct: activemask; atom.global.add; shfl.sync; st.global
// PTX       agg_inc_filter: activemask; atom.global.add; shfl.sync; st.global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void agg_inc_broken(const int* v, unsigned n, unsigned* count, int* tickets) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    unsigned first;
    if (group.thread_rank() == 0) first = atomicAdd(count, group.size());
    const unsigned ticket = first + group.thread_rank();
    // BUG: only the leader has the answer of the counter.
    if (ticket < n) tickets[i] = ticket;
}

__device__ unsigned agg_inc(unsigned* count) {
    cg::coalesced_group group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(count, group.size());
    // FIX: rank 0 gives it to all.
    return group.shfl(first, 0) + group.thread_rank();
}

extern "C" __global__ void agg_inc_correct(const int* v, unsigned n, unsigned* count, int* tickets) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] <= 0) return;

    const unsigned ticket = agg_inc(count);
    if (ticket < n) tickets[i] = ticket;
}

extern "C" __global__ void agg_inc_filter(const int* v, unsigned n, unsigned* count, int* kept) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] > 0) kept[agg_inc(count)] = v[i];
}
