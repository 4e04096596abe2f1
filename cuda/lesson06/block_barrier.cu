// lesson06/block_barrier.cu: each block reverses its elements through shared memory, with every spelling of its barrier.
//
// Idea      All of them are the same barrier, with the same number of instructions. The compiler knows which group it is.
// Correct   syncthreads: __syncthreads(). block: block.sync(). call: cg::sync(block). this: cg::this_thread_block().sync().
//           group: sync() of a thread_group. split: barrier_arrive() and barrier_wait(), with work between the two.
// Contract  blocks of 256 threads, as many as cover n; v and out have n ints; n is a multiple of 256.
// Expect    no findings; each 256 elements reversed.
// PTX       block_barrier_syncthreads: st.shared; bar|barrier.sync; ld.shared
// PTX       block_barrier_block: st.shared; bar|barrier.sync; ld.shared
// PTX       block_barrier_call: st.shared; bar|barrier.sync; ld.shared
// PTX       block_barrier_this: st.shared; bar|barrier.sync; ld.shared
// PTX       block_barrier_group: st.shared; bar|barrier.sync; ld.shared
// PTX       block_barrier_split: st.shared; bar|barrier; ld.shared

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define BLOCK 256

extern "C" __global__ void block_barrier_syncthreads(const int* v, int* out) {
    __shared__ int tile[BLOCK];
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = v[i];
    __syncthreads();
    out[i] = tile[BLOCK - 1 - threadIdx.x];
}

extern "C" __global__ void block_barrier_block(const int* v, int* out) {
    __shared__ int tile[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = v[i];
    block.sync();
    out[i] = tile[BLOCK - 1 - threadIdx.x];
}

extern "C" __global__ void block_barrier_call(const int* v, int* out) {
    __shared__ int tile[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = v[i];
    cg::sync(block);
    out[i] = tile[BLOCK - 1 - threadIdx.x];
}

extern "C" __global__ void block_barrier_this(const int* v, int* out) {
    __shared__ int tile[BLOCK];
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = v[i];
    cg::this_thread_block().sync();
    out[i] = tile[BLOCK - 1 - threadIdx.x];
}

extern "C" __global__ void block_barrier_group(const int* v, int* out) {
    __shared__ int tile[BLOCK];
    cg::thread_group group = cg::this_thread_block();
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = v[i];
    group.sync();
    out[i] = tile[BLOCK - 1 - threadIdx.x];
}

extern "C" __global__ void block_barrier_split(const int* v, int* out) {
    __shared__ int tile[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = v[i];
    auto token = block.barrier_arrive();
    int* place = out + i; // Work that does not need the other threads goes here.
    block.barrier_wait(static_cast<cg::thread_block::arrival_token&&>(token));
    *place = tile[BLOCK - 1 - threadIdx.x];
}
