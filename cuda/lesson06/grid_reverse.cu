// lesson06/grid_reverse.cu: a vector turned round in place, in one kernel: out to a second buffer, a barrier of the whole
// grid, and back the other way.
//
// Idea      A barrier of the grid needs all its blocks to be there at once. A cooperative launch promises that, or refuses.
// Broken    grid_reverse_ordinary: right as a kernel, and launched as any other.
// Correct   grid_reverse: launched as cooperative, with as many blocks as the occupancy call allows, each thread
//           doing several elements.
// Contract  any number of blocks that can be resident; d and e have n ints; n <= 2^30.
// Expect    grid_reverse_ordinary: cooperative-launch. grid_reverse: no findings; d is turned round.
// PTX       grid_reverse_ordinary: ld.global; st.global; atom.add.release.gpu; ld.acquire.gpu; ld.global; st.global
// PTX       grid_reverse: ld.global; st.global; atom.add.release.gpu; ld.acquire.gpu; ld.global; st.global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void grid_reverse_ordinary(int* d, int* e, unsigned n) {
    cg::grid_group grid = cg::this_grid();
    const unsigned first = grid.thread_rank(), step = grid.size();
    for (unsigned i = first; i < n; i += step) e[i] = d[i];
    // BUG: nobody has promised that all blocks of this launch can wait here at once.
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
