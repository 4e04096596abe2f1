// wrong: budget
// The last rounds without block barriers are a start. The first two rounds still use four barriers.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_sums(const int* v, int* sums) {
    __shared__ int temp[128];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int rank = block.thread_rank();
    int mine = v[blockIdx.x * 128 + rank];
    for (int half = 64; half > 16; half /= 2) {
        temp[rank] = mine;
        block.sync();
        if (rank < half) mine += temp[rank + half];
        block.sync();
    }
    mine = cg::reduce(warp, mine, cg::plus<int>());
    if (rank == 0) sums[blockIdx.x] = mine;
}
