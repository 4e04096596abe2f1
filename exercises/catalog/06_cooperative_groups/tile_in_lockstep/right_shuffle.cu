// From register to register: no shared memory, so nothing to wait for.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void rotate(const int* v, int n, int rounds, int* out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = blockIdx.x * 64 + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < rounds; round++) mine = tile.shfl(mine, (tile.thread_rank() + 15) % 16);
    if (i < n) out[i] = mine;
}
