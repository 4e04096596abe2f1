// wrong: answer
// A float holds whole numbers up to 2^24 exactly. Larger sums are rounded.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int label = i < n ? shop[i] : -1;
    const int money = i < n ? amount[i] : 0;

    auto group = cg::labeled_partition(warp, label);
    const float sum = cg::reduce(group, (float)money, cg::plus<float>());
    if (label >= 0 && group.thread_rank() == 0) atomicAdd(&turnover[label], (int)sum);
}
