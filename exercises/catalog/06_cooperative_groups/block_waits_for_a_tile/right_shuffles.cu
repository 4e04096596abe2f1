// No shared memory: shuffles bring both neighbours' values.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void smoothen(const int* v, int n, int* smooth) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int rank = tile.thread_rank(), i = blockIdx.x * 128 + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < 3; round++) {
        const int right = tile.shfl(mine, (rank + 1) % 16), left = tile.shfl(mine, (rank + 15) % 16);
        mine += left + right;
    }
    if (i < n) smooth[i] = mine;
}
