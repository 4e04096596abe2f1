// gone_before_the_barrier: how far each element is below the largest one, in one cooperative launch.
//
// Given    v has n ints, none below 0, with n at most 128; *most is 0. Four blocks of 32 threads, launched as
//          cooperative.
// Range    n is from 1 to 128; gridDim.x is 4; v has values from 0 to 9999.
// Do       *most is the largest element; below[i] = *most - v[i].
// Problem  With 128 elements it works. With fewer it may wait for ever.
// Read     lesson06-cooperative-groups/README.md, "Try this", 5; cargo learn explain deadlock

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void below_the_largest(const int* v, int n, int* most, int* below) {
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
    // TODO: nobody may wait for a thread that has returned.
    if (i >= n) return;

    atomicMax(most, v[i]);
    grid.sync();
    below[i] = *most - v[i];
}
