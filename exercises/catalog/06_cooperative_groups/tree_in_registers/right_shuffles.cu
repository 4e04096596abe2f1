// By shuffles; four lanes add the four sums.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_sums(const int* v, int* sums) {
    __shared__ int temp[4];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int mine = v[blockIdx.x * 128 + block.thread_rank()];
    for (int offset = 16; offset > 0; offset /= 2) mine += warp.shfl_xor(mine, offset);
    if (warp.thread_rank() == 31) temp[warp.meta_group_rank()] = mine;
    block.sync();
    if (block.thread_rank() < 32) {
        int last = block.thread_rank() < 4 ? temp[block.thread_rank()] : 0;
        last += warp.shfl_down(last, 2);
        last += warp.shfl_down(last, 1);
        if (block.thread_rank() == 0) sums[blockIdx.x] = last;
    }
}
