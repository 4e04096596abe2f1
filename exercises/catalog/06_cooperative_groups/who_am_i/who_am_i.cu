// who_am_i: thread 75 of block 1 asks its groups who it is.
//
// Given   3 blocks of 96 threads, run in order: threads of a warp that take the same path stay
//         together.
// Do      Predict the six numbers. There is nothing to program here.
//
// Read    lesson06-cooperative-groups/README.md, row `names` and "Words"
// TODO: what are words[0] to words[5]?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void ask(int* words) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);

    if (block.thread_rank() % 3 == 0) {
        cg::coalesced_group here = cg::coalesced_threads();
        if (blockIdx.x == 1 && threadIdx.x == 75) {
            words[0] = tile.thread_rank();
            words[1] = tile.meta_group_rank();
            words[2] = tile.meta_group_size();
            words[3] = here.size();
            words[4] = here.thread_rank();
            words[5] = grid.thread_rank();
        }
    }
}
