// headers/cooperative_tiles_sm75.cu: tiles of several warps below sm_80, in memory that the kernel gives them.
//
// What the header does there with itself raises no alarm; a race of the kernel's own code in that memory does, and so
// does one that the header makes where it was told to.
//
// run: kernel=sums block=128 out:s32 => out=[(i/64*64+32)*64 + 64*128]
// run: kernel=scans block=128 out:s32 => out=[(i+1)*1000 + i%64]
// run: kernel=exchange block=128 out:s32 => out=[i/64*64+5 + 1000*(i/64) + 2000]
// run: kernel=again_and_again block=128 out:s32 => out=[3*64]
// run: kernel=floats block=64 in:f32=[i%2] out:f32 => out=[32]
// run: kernel=stored block=64 out:s32 => out=[2016]
// run: kernel=stored_in_one_place block=128 out:s32 => finding=race-shared
// run: kernel=with_own_code block=64 out:s32 => out=[63]
// run: kernel=with_racy_code block=64 out:s32 => finding=race-shared
// run: kernel=looked_into block=64 out:s32 => finding=race-shared
// run: kernel=looked_into_later block=64 out:s32 => out=[2016]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int SIZE> __device__ int sum_of_ranks(const cg::thread_block& block) {
    auto tile = cg::tiled_partition<SIZE>(block);
    return cg::reduce(tile, 2 * (int)block.thread_rank() + 1, cg::plus<int>()) / 2;
}

extern "C" __global__ void sums(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    out[threadIdx.x] = sum_of_ranks<64>(block) + sum_of_ranks<128>(block);
}

extern "C" __global__ void scans(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    auto large = cg::tiled_partition<128>(block);
    auto small = cg::tiled_partition<64>(block);
    out[threadIdx.x] = 1000 * cg::inclusive_scan(large, 1, cg::plus<int>()) + cg::exclusive_scan(small, 1, cg::plus<int>());
}

extern "C" __global__ void exchange(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    int t = threadIdx.x;
    out[t] = tile.shfl(t, 5) + 1000 * tile.any(t == 100) + 2000 * tile.all(t < 512);
}

// The same words are used again, by collectives of one size and of another.
extern "C" __global__ void again_and_again(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    auto small = cg::tiled_partition<64>(block);
    auto large = cg::tiled_partition<128>(block);
    int sum = 0;
    for (int round = 0; round < 2; ++round) {
        sum += cg::reduce(small, 1, cg::plus<int>());
        sum += cg::reduce(large, 1, cg::plus<int>()) * small.any(true) / 4;
    }
    out[threadIdx.x] = sum;
}

// Of 0 and -0 one lane keeps the one and one the other: which of them the warp puts down matters to nobody.
extern "C" __global__ void floats(const float* in, float* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    float zero = threadIdx.x % 3 ? 0.0f : -0.0f;
    out[threadIdx.x] = cg::reduce(tile, in[threadIdx.x], cg::plus<float>()) + cg::reduce(tile, zero, cg::less<float>());
}

extern "C" __global__ void stored(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int sum[2];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    cg::reduce_store_async(tile, &sum[threadIdx.x / 64], (int)threadIdx.x, cg::plus<int>());
    tile.sync();
    out[threadIdx.x] = sum[threadIdx.x / 64];
}

// The header's own line stores both sums, where the kernel has told it to.
extern "C" __global__ void stored_in_one_place(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int sum;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    cg::reduce_store_async(tile, &sum, (int)threadIdx.x, cg::plus<int>());
    __syncthreads();
    out[threadIdx.x] = sum;
}

// The kernel's code runs between lines of the header, and in its own place.
extern "C" __global__ void with_own_code(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int calls[128];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    int t = threadIdx.x;
    int most = cg::reduce(tile, t, [&](int a, int b) {
        calls[t] = a;
        return a > b ? a : b;
    });
    out[t] = most;
}

extern "C" __global__ void with_racy_code(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int last;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    int t = threadIdx.x;
    int most = cg::reduce(tile, t, [&](int a, int b) {
        last = t;
        return a > b ? a : b;
    });
    __syncthreads();
    out[t] = most + last;
}

// The sum lies in the first warp's slot behind the barriers, and is put there while others look.
extern "C" __global__ void looked_into(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    int* slot = (int*)((char*)&memory + 32) + threadIdx.x / 64 * 4;
    out[threadIdx.x] = sum + *slot;
    cg::reduce(tile, 1, cg::plus<int>());
}

extern "C" __global__ void looked_into_later(int* out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    int* slot = (int*)((char*)&memory + 32) + threadIdx.x / 64 * 4;
    __syncthreads();
    out[threadIdx.x] = *slot;
}
