// block_waits_for_a_tile: each element plus its two neighbours, three times, inside rows of 16.
//
// Given   v and smooth have n ints. A row is 16 elements, and a tile of 16 threads works on it. Blocks have 128
//         threads. Threads past the end take part with 0.
// Range   n is from 1 to 200; v has values from -99 to 99.
// Do      Repeat three times: each value becomes the sum of itself and its two neighbours. Each row is a ring.
// Budget  The result is right. The budget is 0 barriers of the block.
//
// Read    lesson06-cooperative-groups/README.md, row `block_barrier`; docs/counters.md

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void smoothen(const int* v, int n, int* smooth) {
    __shared__ int temp[128];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int* row = temp + threadIdx.x / 16 * 16;
    const int rank = tile.thread_rank(), i = blockIdx.x * 128 + threadIdx.x;

    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < 3; round++) {
        row[rank] = mine;
        // TODO: who exchanges with whom? Wait only for those threads.
        block.sync();
        mine += row[(rank + 1) % 16] + row[(rank + 15) % 16];
        block.sync();
    }
    if (i < n) smooth[i] = mine;
}
