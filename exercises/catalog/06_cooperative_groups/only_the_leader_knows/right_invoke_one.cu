// The group picks one thread, and passes the result to all.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    cg::coalesced_group group = cg::coalesced_threads();
    const unsigned first = cg::invoke_one_broadcast(group, [&] { return atomicAdd(kept, group.size()); });
    dst[first + group.thread_rank()] = src[i];
}
