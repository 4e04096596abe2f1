// headers/cooperative.cu: groups of cooperative_groups.h at every level of a block, each used as it should be.
//
// What the header does inside is held to the model like everything else: a finding here would be a false alarm.
//
// run: kernel=exchange_in_block block=128 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=exchange_in_tile block=128 in:s32=[i] out:s32 => out=[(i^7)+(i%8==7?i:i+1)]
// run: kernel=votes_in_tile block=64 in:s32=[i%8] out:s32 => out=[1+(1<<(i%8))]
// run: kernel=reduce_in_tile block=64 in:s32=[i] out:s32 => out=[(i<32?496:1520)+(i<32?31:63)]
// run: kernel=scan_in_tile block=32 in:s32=[1] out:s32 => out=[i]
// run: kernel=coalesced block=64 in:s32=[i] count:s32[1]=[0] out:s32[32] => count[0]=32 out={2*i+1}
// run: kernel=partition block=32 in:s32=[i] out:s32 => out=[i%2==0?240:256]
// run: kernel=labeled block=32 in:s32=[i] out:s32 => out=[8]
// run: kernel=tiles_of_tiles block=64 in:s32=[i] out:s32 => out=[4*(i-i%4)+6]
// run: kernel=block_tile block=128 in:s32=[i] out:s32 => out=[63-i%64+i-i%64]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void exchange_in_block(const int* in, int* out) {
    __shared__ int cell[128];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank();
    cell[t] = in[t];
    block.sync();
    out[t] = cell[127 - t];
}

extern "C" __global__ void exchange_in_tile(const int* in, int* out) {
    __shared__ int cell[128];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    unsigned t = threadIdx.x;
    cell[t] = in[t];
    tile.sync();
    out[t] = cell[t ^ 7] + tile.shfl_down(in[t], 1);
}

extern "C" __global__ void votes_in_tile(const int* in, int* out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    unsigned t = threadIdx.x;
    out[t] = tile.any(in[t] == 7) + tile.match_any(in[t]);
}

extern "C" __global__ void reduce_in_tile(const int* in, int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int mine = in[threadIdx.x];
    out[threadIdx.x] = cg::reduce(tile, mine, cg::plus<int>()) + cg::reduce(tile, mine, cg::greater<int>());
}

extern "C" __global__ void scan_in_tile(const int* in, int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    out[threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x], cg::plus<int>());
}

extern "C" __global__ void coalesced(const int* in, int* count, int* out) {
    int mine = in[threadIdx.x];
    if (mine & 1) {
        auto group = cg::coalesced_threads();
        int first = 0;
        if (group.thread_rank() == 0) first = atomicAdd(count, (int)group.size());
        first = group.shfl(first, 0);
        out[first + group.thread_rank()] = mine;
    }
}

extern "C" __global__ void partition(const int* in, int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::binary_partition(tile, (in[threadIdx.x] & 1) != 0);
    out[threadIdx.x] = cg::reduce(part, in[threadIdx.x], cg::plus<int>());
}

extern "C" __global__ void labeled(const int* in, int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::labeled_partition(tile, in[threadIdx.x] & 3);
    out[threadIdx.x] = (int)part.size();
}

extern "C" __global__ void tiles_of_tiles(const int* in, int* out) {
    auto eight = cg::tiled_partition<8>(cg::this_thread_block());
    auto four = cg::tiled_partition<4>(eight);
    int sum = in[threadIdx.x];
    for (int step = 2; step > 0; step /= 2) sum += four.shfl_xor(sum, step);
    four.sync();
    out[threadIdx.x] = sum;
}

// A tile of two warps meets at memory that the block sets aside for it.
extern "C" __global__ void block_tile(const int* in, int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int cell[128];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    unsigned t = threadIdx.x;
    cell[t] = in[t];
    tile.sync();
    out[t] = cell[t - t % 64 + 63 - t % 64];
}
