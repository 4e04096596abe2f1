// only_the_leader_knows: copy the positive elements of src to the front of dst, with one atomic per group.
//
// Given    src and dst have n ints, dst is all zero, *kept is 0. One thread per element, in blocks of 64.
// Range    n is from 1 to 200; src has values from -40 to 60.
// Do       dst holds every positive element once, in any order and without gaps; *kept is their number.
// Budget   One atomic per warp. (One atomic per thread would be right, but is not the exercise.)
// Problem  The group's first thread reserves elements of dst for all. Then every thread counts from its own `first`.
//
// Read     lesson06-cooperative-groups/README.md, "A register is a thread's own";
//          cargo learn explain undefined-value

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    unsigned first;
    if (group.thread_rank() == 0) first = atomicAdd(kept, group.size());
    // TODO: who knows `first`?
    const unsigned place = first + group.thread_rank();
    if (place < n) dst[place] = src[i];
}
