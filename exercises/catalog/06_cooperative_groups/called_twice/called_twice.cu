// called_twice: the sum of a block's elements and the sum of their squares, by one function called twice.
//
// Given    v has n ints; as many blocks of 64 threads as cover n. Threads past the end take part with 0.
// Range    n is from 1 to 200; v has values from -20 to 20.
// Do       Compute sums[b] and squares[b] for each block b.
// Problem  Called once, the function is right every time. Called twice with the same `temp`, it is not.
//
// Read     lesson06-cooperative-groups/README.md, "Two barriers a round"; cargo learn explain race-shared

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The whole sum, in the thread of rank 0. temp has one element per thread of the group.
__device__ int reduce_sum(cg::thread_group group, int* temp, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        // TODO: a round has two halves, and the next round begins here.
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
    const int square = reduce_sum(block, temp, mine * mine);
    if (block.thread_rank() == 0) {
        sums[blockIdx.x] = sum;
        squares[blockIdx.x] = square;
    }
}
