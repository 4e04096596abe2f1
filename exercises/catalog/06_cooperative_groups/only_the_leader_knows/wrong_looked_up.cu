// wrong: race-global
// "first is the counter now, minus the group." Others have added in between, and the read is not atomic.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(kept, group.size());
    group.sync();
    const unsigned place = *kept - group.size() + group.thread_rank();
    if (place < n) dst[place] = src[i];
}
