// gone_before_the_barrier.cu: how far each element is below the largest, in one cooperative launch.
//
// Given     v has n ints, none below 0, at most 128 of them; *most is 0. Four blocks of 32 threads, launched as cooperative.
// Wanted    *most is the largest element, below[i] = *most - v[i].
// Trouble   With 128 elements it works. With fewer it may wait for ever.
//
// Read on   lesson06-cooperative-groups/README.md, "Try this", 5; cargo learn explain deadlock

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void below_the_largest(const int* v, int n, int* most, int* below) {
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
    // TODO: nobody may wait for somebody who has left.
    if (i >= n) return;

    atomicMax(most, v[i]);
    grid.sync();
    below[i] = *most - v[i];
}
