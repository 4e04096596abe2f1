// wrong: answer
// The last value is added only if the block's size is odd. 96 is even, and 3 comes later.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank(), size = group.size();
    temp[rank] = value;
    group.sync();
    if (size % 2 == 1 && size > 1 && rank == 0) value += temp[size - 1];
    group.sync();
    for (int half = size / 2; half > 0; half /= 2) {
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
