// Arch: sm_80
// headers/cooperative_large.cu: tiles of sixteen warps, whose leaders wait for each other in the system's memory.
//
// run: kernel=sum_of_all block=512 out:s32 => out=[512*511/2]
// run: kernel=meet block=512 out:s32 => out=[511-i]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void sum_of_all(int* out) {
    auto tile = cg::tiled_partition<512>(cg::this_thread_block());
    out[threadIdx.x] = cg::reduce(tile, (int)tile.thread_rank(), cg::plus<int>());
}

extern "C" __global__ void meet(int* out) {
    __shared__ int cell[512];
    auto tile = cg::tiled_partition<512>(cg::this_thread_block());
    cell[threadIdx.x] = threadIdx.x;
    tile.sync();
    out[threadIdx.x] = cell[511 - threadIdx.x];
}
