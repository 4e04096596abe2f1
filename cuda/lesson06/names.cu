// lesson06/names.cu: what a group tells about itself and about the calling thread.
//
// Idea      The same questions for every group: how many threads, and which one am I? If the group is a part of another one, also: which
//           part is it, of how many?
// Correct   block: a block of any shape. tile: tiles of 8 in blocks of one axis. grid: the whole grid, and whether its
//           barrier can be used, which a cooperative launch promises.
// Contract  any grid, any block (tile: one axis, a multiple of 8 threads); out has WORDS for each thread, in the order
//           of the threads in their block and of the blocks in the grid. grid: a cooperative launch.
// Expect    no findings; the numbers that follow from the launch's shape.
// PTX       names_block: st.global
// PTX       names_tile: st.global
// PTX       names_grid: st.global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define WORDS 8

// The calling thread's words. The index is computed by hand, since the groups' answers are under test.
__device__ unsigned* words_of(unsigned* out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return out + WORDS * (block * (blockDim.x * blockDim.y * blockDim.z) + thread);
}

extern "C" __global__ void names_block(unsigned* out) {
    cg::thread_block block = cg::this_thread_block();
    unsigned* words = words_of(out);
    words[0] = block.size();
    words[1] = block.thread_rank();
    words[2] = block.group_index().x;
    words[3] = block.group_index().y;
    words[4] = block.group_index().z;
    words[5] = block.thread_index().x;
    words[6] = block.thread_index().y;
    words[7] = block.thread_index().z;
}

extern "C" __global__ void names_tile(unsigned* out) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    cg::thread_group any = tile;
    unsigned* words = words_of(out);
    words[0] = tile.size();
    words[1] = tile.thread_rank();
    words[2] = tile.meta_group_rank();
    words[3] = tile.meta_group_size();
    words[4] = any.size();
    words[5] = any.thread_rank();
    words[6] = block.group_index().x;
    words[7] = block.thread_index().x;
}

extern "C" __global__ void names_grid(unsigned* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned* words = words_of(out);
    words[0] = (unsigned)grid.size();
    words[1] = (unsigned)grid.thread_rank();
    words[2] = (unsigned)grid.num_blocks();
    words[3] = (unsigned)grid.block_rank();
    words[4] = grid.dim_blocks().x;
    words[5] = grid.dim_blocks().y;
    words[6] = grid.dim_blocks().z;
    words[7] = grid.is_valid();
}
