// wrong: race-global
// The block's barrier ignores threads that have returned. But the largest element may be in another block.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void below_the_largest(const int* v, int n, int* most, int* below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicMax(most, v[i]);
    cg::this_thread_block().sync();
    below[i] = *most - v[i];
}
