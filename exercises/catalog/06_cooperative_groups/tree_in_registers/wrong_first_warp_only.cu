// wrong: answer
// The sum of one tile is not the sum of the block.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_sums(const int* v, int* sums) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum = cg::reduce(warp, v[blockIdx.x * 128 + threadIdx.x], cg::plus<int>());
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
