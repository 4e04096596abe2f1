// As if there were 256 threads: partners past the end do not exist.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank(), size = group.size();
    for (int half = 128; half > 0; half /= 2) {
        if (rank < size) temp[rank] = value;
        group.sync();
        if (rank < half && rank + half < size) value += temp[rank + half];
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
