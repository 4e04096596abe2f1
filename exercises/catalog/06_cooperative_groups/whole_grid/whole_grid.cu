// whole_grid.cu: a vector turned round in place, by several blocks in one launch.
//
// Given     v has n ints; copy has room for as many. One to four blocks of 32 threads, launched as cooperative: all blocks
//           are on the GPU at once.
// Wanted    v is turned round: first out to copy, then back the other way.
// Trouble   What one block has put into copy, another one brings back.
//
// Read on   lesson06-cooperative-groups/README.md, "All at once, or not at all"; cargo learn explain race-global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int step = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += step) copy[i] = v[i];
    // TODO: wait for everybody who stores to copy.
    cg::this_thread_block().sync();
    for (int i = first; i < n; i += step) v[n - 1 - i] = copy[i];
}
