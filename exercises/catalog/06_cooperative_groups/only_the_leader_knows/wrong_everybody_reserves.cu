// wrong: answer
// Every thread reserves elements for the whole group. Each has a `first`, but dst is full of gaps.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    const unsigned first = atomicAdd(kept, group.size());
    const unsigned place = first + group.thread_rank();
    if (place < n) dst[place] = src[i];
}
