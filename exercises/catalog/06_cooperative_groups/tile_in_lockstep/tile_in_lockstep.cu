// tile_in_lockstep: values move around in rings of 16.
//
// Given    v and out have n ints; blocks of 64 threads in tiles of 16. Threads past the end take part with 0.
// Range    n is from 1 to 200; rounds is from 1 to 18; v has values from -99 to 99.
// Do       In each round, every value moves to the next thread of its tile, and from the last thread to the first.
//          After `rounds` rounds, out holds the value of each thread.
// Problem  All 16 threads of a tile are in one warp. "They run in lockstep", says an old book.
//
// Read     lesson06-cooperative-groups/README.md; lesson03-warp-primitives/README.md; cargo learn explain race-shared

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
        // TODO: one thread reads what another one writes.
        ring[(rank + 1) % 16] = mine;
        mine = ring[rank];
    }
    if (i < n) out[i] = mine;
}
