// headers/cooperative_copy_sm75.cu: without `cp.async` the header copies with loads and stores, which a barrier orders.
//
// run: kernel=whole block=128 shared=512 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=by_barrier block=128 shared=512 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=not_waited_for block=128 shared=512 in:s32=[i] out:s32 => finding=race-shared
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

extern "C" __global__ void whole(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * block.size());
    cg::wait(block);
    out[threadIdx.x] = tile[block.size() - 1 - threadIdx.x];
}

// Right here, and wrong from compute capability 8.0 on.
extern "C" __global__ void by_barrier(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * block.size());
    block.sync();
    out[threadIdx.x] = tile[block.size() - 1 - threadIdx.x];
}

extern "C" __global__ void not_waited_for(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * block.size());
    out[threadIdx.x] = tile[block.size() - 1 - threadIdx.x];
}
