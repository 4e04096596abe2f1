// A scan of the lanes that keep something gives each its place.

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;
    auto g = cg::coalesced_threads();
    const unsigned before = cg::exclusive_scan(g, 1u);
    unsigned first = 0;
    if (before == g.size() - 1) first = atomicAdd(kept, g.size());
    first = g.shfl(first, g.size() - 1);
    dst[first + before] = src[i];
}
