// The other way up: partners at a distance of 1, 2, 4, ..., as long as there is one.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_sums(const int* v, int* sums) {
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank(), size = block.size();
    temp[rank] = v[blockIdx.x * blockDim.x + rank];
    block.sync();
    for (int distance = 1; distance < size; distance *= 2) {
        if (rank % (2 * distance) == 0 && rank + distance < size) temp[rank] += temp[rank + distance];
        block.sync();
    }
    if (rank == 0) sums[blockIdx.x] = temp[0];
}
