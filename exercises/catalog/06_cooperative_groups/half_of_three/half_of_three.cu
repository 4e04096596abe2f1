// half_of_three: the sum of a block's elements, for a block of any size.
//
// Given    Two blocks with 1 to 129 threads each; the launch sets the number. v has one element per thread. temp has
//          one int per thread of the block.
// Range    blockDim.x is from 1 to 129; v has values from -99 to 99.
// Do       sums[b] is the sum of block b's elements.
// Problem  There is no finding. The sum is right for 1, 2, 4, 8, ... threads.
//
// Read     lesson06-cooperative-groups/README.md, "Half of three"; docs/errata.md

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank();
    // TODO: no thread's value may be left out.
    for (int half = group.size() / 2; half > 0; half /= 2) {
        temp[rank] = value;
        group.sync();
        if (rank < half) value += temp[rank + half];
        group.sync();
    }
    return value;
}

extern "C" __global__ void block_sums(const int* v, int* sums) {
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    const int sum = reduce_sum(block, temp, v[blockIdx.x * blockDim.x + threadIdx.x]);
    if (block.thread_rank() == 0) sums[blockIdx.x] = sum;
}
