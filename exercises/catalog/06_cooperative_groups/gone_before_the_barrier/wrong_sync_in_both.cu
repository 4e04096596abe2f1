// wrong: out-of-bounds
// The return is removed, and so is the bounds check.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void below_the_largest(const int* v, int n, int* most, int* below) {
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
    atomicMax(most, v[i]);
    grid.sync();
    below[i] = *most - v[i];
}
