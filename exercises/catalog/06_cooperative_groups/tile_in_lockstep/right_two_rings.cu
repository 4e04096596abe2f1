// Two rings, used in turn: one barrier per round is enough.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void rotate(const int* v, int n, int rounds, int* out) {
    __shared__ int temp[2][64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int rank = tile.thread_rank(), first = 16 * tile.meta_group_rank();
    const int i = blockIdx.x * 64 + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < rounds; round++) {
        temp[round & 1][first + (rank + 1) % 16] = mine;
        tile.sync();
        mine = temp[round & 1][first + rank];
    }
    if (i < n) out[i] = mine;
}
