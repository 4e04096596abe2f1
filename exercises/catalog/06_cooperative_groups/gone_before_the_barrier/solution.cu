// All threads reach the barrier. The work on both sides is only for threads that have an element.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void below_the_largest(const int* v, int n, int* most, int* below) {
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
    if (i < n) atomicMax(most, v[i]);
    grid.sync();
    if (i < n) below[i] = *most - v[i];
}
