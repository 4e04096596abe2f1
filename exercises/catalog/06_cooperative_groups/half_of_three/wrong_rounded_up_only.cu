// wrong: out-of-bounds
// Half is rounded up, but the last thread has no partner: it adds a value that was added before, or one past the end.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank();
    for (int half = (group.size() + 1) / 2; half > 0; half = half == 1 ? 0 : (half + 1) / 2) {
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
