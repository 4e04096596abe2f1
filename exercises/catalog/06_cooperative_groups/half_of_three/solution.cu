// The number of values left is halved and rounded up. The thread in the middle has no partner and waits.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank();
    for (int left = group.size(); left > 1;) {
        const int half = (left + 1) / 2;
        temp[rank] = value;
        group.sync();
        if (rank + half < left) value += temp[rank + half];
        group.sync();
        left = half;
    }
    return value;
}

extern "C" __global__ void block_sums(const int* v, int* sums) {
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    const int sum = reduce_sum(block, temp, v[blockIdx.x * blockDim.x + threadIdx.x]);
    if (block.thread_rank() == 0) sums[blockIdx.x] = sum;
}
