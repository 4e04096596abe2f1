// wrong: race-shared
// One barrier. The write of the next round may come before a neighbour's read of this one.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void rotate(const int* v, int n, int rounds, int* out) {
    __shared__ int temp[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int rank = tile.thread_rank();
    int* ring = temp + 16 * tile.meta_group_rank();
    const int i = blockIdx.x * 64 + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < rounds; round++) {
        ring[(rank + 1) % 16] = mine;
        tile.sync();
        mine = ring[rank];
    }
    if (i < n) out[i] = mine;
}
