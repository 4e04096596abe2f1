// lesson06/block_barrier_valid.cu: a kernel asks a block whether its barrier can be used.
//
// Idea      A block can always use its barrier. Only a grid needs a launch that allows it, and only a grid still has is_valid().
// Broken    Today's header has no is_valid() for blocks.
// Correct   Just block.sync(); names_grid, in names.cu, asks the grid.
// Contract  None: it is never run.
// Expect    compile-fail: no such member.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_barrier_valid(const int* v, int* out) {
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    // BUG: a block has no such question.
    if (block.is_valid()) block.sync();
    out[i] = v[i];
}
