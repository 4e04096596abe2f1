// wrong: deadlock
// Only threads that have an element reach the barrier of the grid. The others never do.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    cg::grid_group grid = cg::this_grid();
    if (blockIdx.x * blockDim.x >= n) return;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) copy[i] = v[i];
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) v[n - 1 - i] = copy[i];
}
