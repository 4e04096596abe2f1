// wrong: race-shared
// The budget allows one barrier and does not demand it. But the kernel needs it.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_sums(const int* v, int* sums) {
    __shared__ int temp[4];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int rank = block.thread_rank();
    const int sum = cg::reduce(warp, v[blockIdx.x * 128 + rank], cg::plus<int>());
    if (warp.thread_rank() == 0) temp[warp.meta_group_rank()] = sum;
    if (rank == 0) sums[blockIdx.x] = temp[0] + temp[1] + temp[2] + temp[3];
}
