// Through shared memory, for the whole block.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    __shared__ unsigned here, first;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) here = 0;
    block.sync();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && src[i] > 0;
    auto warp = cg::tiled_partition<32>(block);
    const unsigned mask = warp.ballot(keep);
    unsigned place = 0;
    if (warp.thread_rank() == 0) place = atomicAdd_block(&here, __popc(mask));
    place = warp.shfl(place, 0) + __popc(mask & ((1u << warp.thread_rank()) - 1));
    block.sync();
    // This may be thread 0 of a block with no positive element: it adds 0.
    if (block.thread_rank() == 0) first = atomicAdd(kept, here);
    block.sync();
    if (keep) dst[first + place] = src[i];
}
