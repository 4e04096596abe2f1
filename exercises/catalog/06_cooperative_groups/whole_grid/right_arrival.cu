// The two halves of the barrier apart: arrive when copy is written, wait before it is read.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) copy[n - 1 - i] = v[i];
    auto token = grid.barrier_arrive();
    grid.barrier_wait(cuda::std::move(token));
    for (int i = grid.thread_rank(); i < n; i += grid.size()) v[i] = copy[i];
}
