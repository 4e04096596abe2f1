// tree_in_registers: the sum of each block's 128 elements.
//
// Given   v has 128 ints per block of 128 threads.
// Range   gridDim.x is from 1 to 3; v has values from -99 to 99.
// Do      sums[b] is the sum of block b's elements.
// Budget  The result is right, from a tree in shared memory with 14 barriers. Allowed per block: one barrier, four warp
//         instructions that write to shared memory, four that read from it, and no global atomics.
//
// Read    lesson06-cooperative-groups/README.md, row `sum_kernel_block`; lesson03-warp-primitives/README.md

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_sums(const int* v, int* sums) {
    __shared__ int temp[128];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    int mine = v[blockIdx.x * 128 + rank];

    // TODO: let each warp add up in registers first.
    for (int half = 64; half > 0; half /= 2) {
        temp[rank] = mine;
        block.sync();
        if (rank < half) mine += temp[rank + half];
        block.sync();
    }
    if (rank == 0) sums[blockIdx.x] = mine;
}
