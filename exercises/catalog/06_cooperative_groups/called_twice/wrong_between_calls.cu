// wrong: race-shared
// A barrier between the calls. Inside a call, a write of the next round still races with a read of this one.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        temp[rank] = value;
        group.sync();
        if (rank < half) value += temp[rank + half];
    }
    return value;
}

extern "C" __global__ void two_sums(const int* v, int n, int* sums, int* squares) {
    __shared__ int temp[64];
    cg::thread_block block = cg::this_thread_block();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = i < n ? v[i] : 0;
    const int sum = reduce_sum(block, temp, mine);
    block.sync();
    const int square = reduce_sum(block, temp, mine * mine);
    if (block.thread_rank() == 0) {
        sums[blockIdx.x] = sum;
        squares[blockIdx.x] = square;
    }
}
