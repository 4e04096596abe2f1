// Arch: sm_80
// headers/cooperative_tiles.cu: tiles of every size, those of several warps in memory that the system keeps
// (`%reserved_smem_offset_1`), and what lanes of them do together.
//
// run: kernel=sums block=256 out:s32 => out=[(i/64*64+32)*64 + (i/128*128+64)*128 + 128*256]
// run: kernel=sums block=512 out:s32 => out=[(i/64*64+32)*64 + (i/128*128+64)*128 + (i/256*256+128)*256]
// run: kernel=scans block=128 out:s32 => out=[(i+1)*1000 + i%64]
// run: kernel=exchange block=256 out:s32 => out=[i/128*128+5 + 1000*(i/128) + 2000]
// run: kernel=barriers block=128 out:s32 => out=[i/64*64+63-i%64]
// run: kernel=ranks block=256 out:s32 => out=[i%64 + 100*(i/64) + 10000*4 + 100000*64]
// run: kernel=small block=96 out:s32 => out=[1 + 2 + 4 + 8 + 16 + 32]
// run: kernel=dynamic block=64 out:s32 => out=[i%16 + 100*16 + 10000*(i%4) + 1000000]
// run: kernel=leaders block=128 count:s32[1]=[0] out:s32 => count[0]=23 out=[7]
// run: kernel=beside_own_memory block=128 shared=512 out:s32 => out=[127-i + 8128]
// run: kernel=past_own_memory block=128 shared=508 out:s32 => fault=illegal-address finding=out-of-bounds
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int SIZE> __device__ int sum_of_ranks(const cg::thread_block& block) {
    auto tile = cg::tiled_partition<SIZE>(block);
    return cg::reduce(tile, 2 * (int)block.thread_rank() + 1, cg::plus<int>()) / 2;
}

extern "C" __global__ void sums(int* out) {
    auto block = cg::this_thread_block();
    out[threadIdx.x] = sum_of_ranks<64>(block) + sum_of_ranks<128>(block) + sum_of_ranks<256>(block);
}

extern "C" __global__ void scans(int* out) {
    auto block = cg::this_thread_block();
    auto large = cg::tiled_partition<128>(block);
    auto small = cg::tiled_partition<64>(block);
    out[threadIdx.x] = 1000 * cg::inclusive_scan(large, 1, cg::plus<int>()) + cg::exclusive_scan(small, 1, cg::plus<int>());
}

extern "C" __global__ void exchange(int* out) {
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    int t = threadIdx.x;
    out[t] = tile.shfl(t, 5) + 1000 * tile.any(t == 200) + 2000 * tile.all(t < 512);
}

extern "C" __global__ void barriers(int* out) {
    __shared__ int cell[128];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    unsigned t = threadIdx.x, base = t - tile.thread_rank();
    for (int round = 0; round < 2; ++round) {
        cell[t] = t;
        tile.sync();
        out[t] = cell[base + 63 - tile.thread_rank()];
        cg::sync(tile);
    }
}

extern "C" __global__ void ranks(int* out) {
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    out[threadIdx.x] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size() +
                       100000 * tile.num_threads();
}

template <int SIZE> __device__ int size_by_sum() {
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    return cg::reduce(tile, 1, cg::plus<int>());
}

extern "C" __global__ void small(int* out) {
    out[threadIdx.x] = size_by_sum<1>() + size_by_sum<2>() + size_by_sum<4>() + size_by_sum<8>() + size_by_sum<16>() +
                       size_by_sum<32>();
}

// Groups whose size is known at run time only.
extern "C" __global__ void dynamic(int* out) {
    cg::thread_group block = cg::this_thread_block();
    cg::thread_group tile = cg::tiled_partition(block, 16);
    cg::thread_group part = cg::tiled_partition(tile, 4);
    __shared__ int cell[64];
    cell[threadIdx.x] = 1000000;
    tile.sync();
    int other = cell[threadIdx.x ^ 15];
    part.sync();
    out[threadIdx.x] = tile.thread_rank() + 100 * tile.size() + 10000 * part.thread_rank() + other;
}

// One thread of each group: of the block, of each warp, of each half of the last warp's lanes that are together.
extern "C" __global__ void leaders(int* count, int* out) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto half = cg::tiled_partition<64>(block);
    cg::invoke_one(block, [&] { atomicAdd(count, 1); });
    cg::invoke_one(warp, [&] { atomicAdd(count, 1); });
    cg::invoke_one(half, [&] { atomicAdd(count, 1); });
    if (threadIdx.x >= 96 && threadIdx.x % 2) {
        auto together = cg::coalesced_threads();
        cg::invoke_one(cg::labeled_partition(together, threadIdx.x / 64), [&] { atomicAdd(count, (int)together.size()); });
    }
    out[threadIdx.x] = cg::invoke_one_broadcast(warp, [&] { return 7; });
}

extern "C" __global__ void beside_own_memory(int* out) {
    extern __shared__ int own[];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<128>(block);
    own[threadIdx.x] = threadIdx.x;
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    tile.sync();
    out[threadIdx.x] = own[127 - threadIdx.x] + sum;
}

// The last thread's word lies behind what the launch gave; the system's memory is not next to it.
extern "C" __global__ void past_own_memory(int* out) {
    extern __shared__ int own[];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    own[threadIdx.x] = threadIdx.x;
    tile.sync();
    out[threadIdx.x] = own[127 - threadIdx.x];
}
