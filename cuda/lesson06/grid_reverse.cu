// lesson06/grid_reverse.cu: one kernel reverses a vector in place. The grid copies it to a second buffer, waits at
// a barrier of the whole grid, and copies it back in reverse.
//
// Idea      A barrier of the grid needs all its blocks to be resident at once. A cooperative launch promises that, or is refused.
// Broken    grid_reverse_ordinary: the same kernel, with an ordinary launch.
// Correct   grid_reverse: a cooperative launch, with at most the blocks that the occupancy call allows. Each thread
//           copies several elements.
// Contract  any number of blocks that can be resident; d and e have n ints; n <= 2^30.
// Expect    grid_reverse_ordinary: cooperative-launch. grid_reverse: no findings; d is reversed.
// PTX       grid_reverse_ordinary: ld.global; st.global; atom.add.release.gpu; ld.acquire.gpu; ld.global; st.global
// PTX       grid_reverse: ld.global; st.global; atom.add.release.gpu; ld.acquire.gpu; ld.global; st.global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void grid_reverse_ordinary(int* d, int* e, unsigned n) {
    cg::grid_group grid = cg::this_grid();
    const unsigned first = grid.thread_rank(), step = grid.size();
    for (unsigned i = first; i < n; i += step) e[i] = d[i];
    // BUG: an ordinary launch does not promise that all blocks can wait here at once.
    grid.sync();
    for (unsigned i = first; i < n; i += step) d[n - 1 - i] = e[i];
}

extern "C" __global__ void grid_reverse(int* d, int* e, unsigned n) {
    cg::grid_group grid = cg::this_grid();
    const unsigned first = grid.thread_rank(), step = grid.size();
    for (unsigned i = first; i < n; i += step) e[i] = d[i];
    grid.sync(); // FIX: the launch is cooperative.
    for (unsigned i = first; i < n; i += step) d[n - 1 - i] = e[i];
}
