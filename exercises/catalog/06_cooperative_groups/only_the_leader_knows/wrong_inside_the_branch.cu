// wrong: race-global
// Only the leader reaches the shuffle: it passes the value to itself.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    unsigned first;
    if (group.thread_rank() == 0) {
        first = atomicAdd(kept, group.size());
        first = cg::coalesced_threads().shfl(first, 0);
    }
    const unsigned place = first + group.thread_rank();
    if (place < n) dst[place] = src[i];
}
