// wrong: answer
// A return is a negative amount, and max takes it for nothing.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int label = i < n ? shop[i] : -1;
    const int money = i < n ? amount[i] : 0;

    auto group = cg::labeled_partition(warp, label);
    const int sum = cg::reduce(group, max(money, 0), cg::plus<int>());
    if (label >= 0 && group.thread_rank() == 0) atomicAdd(&turnover[label], (int)sum);
}
