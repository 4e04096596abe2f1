// left_the_loop_early: a vector reversed in tiles of 64 elements, and sums of pairs of threads.
//
// Given    v and out have n ints. One block of 64 threads works on them, one tile of 64 elements per round. n need not
//          be a multiple of 64.
// Range    n is 1, 63, 65, 130 or 320; v has values from 0 to 99.
// Do       out has each full tile in reverse order, and an incomplete last tile unchanged. pairs[t] is the sum of
//          everything that threads t and 63 - t have read.
// Problem  The result is right if n is a multiple of 64. Otherwise two threads meet in tile.
// Read     lesson06-cooperative-groups/README.md, "A collective is for all of its group"; cargo learn explain
//          race-shared

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    int sum = 0;

    // TODO: every thread must reach each barrier equally often.
    for (int i = rank; i < n; i += 64) {
        tile[rank] = v[i];
        sum += v[i];
        block.sync();
        out[i] = i - rank + 64 <= n ? tile[63 - rank] : tile[rank];
        block.sync();
    }

    tile[rank] = sum;
    block.sync();
    pairs[rank] = sum + tile[63 - rank];
}
