// only_the_leader_knows.cu: the positive elements of src to the front of dst, with one atomic for all that are together.
//
// Given     src and dst have n ints, dst is all zero, *kept is 0. A thread for each element, in blocks of 64.
// Wanted    dst holds every positive element once, in any order, with no holes; *kept says how many they are.
// Budget    One atomic for each warp. (An atomic for each thread would be right, and is not the exercise.)
// Trouble   The group's first thread reserves places for all. Then everybody counts from what it got.
//
// Read on   lesson06-cooperative-groups/README.md, "A register is a thread's own";
//           cargo learn explain undefined-value

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
