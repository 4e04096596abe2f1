// wrong: race-global
// "Then I give it a value." 0 is a value, but not the one from the counter.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(kept, group.size());
    const unsigned place = first + group.thread_rank();
    if (place < n) dst[place] = src[i];
}
