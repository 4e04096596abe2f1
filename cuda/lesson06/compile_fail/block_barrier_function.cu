// lesson06/block_barrier_function.cu: the block's barrier as a function called synchronize(), as in the first articles on groups.
//
// Idea      The name became sync() before the final header; slides kept the old one.
// Broken    Today's header has no synchronize().
// Correct   sync(): block_barrier_block and block_barrier_call, in block_barrier.cu.
// Contract  None: it is never run.
// Expect    compile-fail: no such function.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_barrier_function(const int* v, int* out) {
    __shared__ int tile[256];
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = v[i];
    // BUG: it is called sync() today.
    cg::synchronize(block);
    out[i] = tile[255 - threadIdx.x];
}
