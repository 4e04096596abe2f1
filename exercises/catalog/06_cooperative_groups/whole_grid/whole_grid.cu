// whole_grid: several blocks reverse a vector in place, in one launch.
//
// Given    v has n ints; copy has the same size. One to four blocks of 32 threads, launched as cooperative: all blocks
//          are on the GPU at the same time.
// Range    n is from 1 to 200; gridDim.x is from 1 to 4; v has values from -99 to 99.
// Do       Reverse v: first copy it to copy, then write it back in reverse order.
// Problem  One block reads from copy what another block has written there.
//
// Read     lesson06-cooperative-groups/README.md, "All at once, or not at all"; cargo learn explain race-global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int step = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += step) copy[i] = v[i];
    // TODO: wait for every thread that writes to copy.
    cg::this_thread_block().sync();
    for (int i = first; i < n; i += step) v[n - 1 - i] = copy[i];
}
