// The lanes of one label form a group, and the group adds up by cg::reduce with a sum of its own.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int label = i < n ? shop[i] : -1;
    auto same = cg::labeled_partition(warp, label);
    const int s = cg::reduce(same, i < n ? amount[i] : 0, [](int a, int b) { return a + b; });
    if (label >= 0 && same.thread_rank() == 0) atomicAdd(&turnover[label], s);
}
