// A loop on each side. Threads without an element make no iteration, and the barrier is outside the loops.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void below_the_largest(const int* v, int n, int* most, int* below) {
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicMax(most, v[i]);
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) below[i] = *most - v[i];
}
