// wrong: answer
// The sum over the whole warp goes to the shop of its first thread.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int label = i < n ? shop[i] : -1;
    const int money = i < n ? amount[i] : 0;
    const int sum = cg::reduce(warp, money, cg::plus<int>());
    if (label >= 0 && warp.thread_rank() == 0) atomicAdd(&turnover[label], sum);
}
