// lesson06/partition.cu: a group is divided, and each part computes its sum.
//
// Idea      A part is a group too. All its members must call its collectives, and no other thread takes part.
// Broken    Half of a tile calls the tile's collective; the other half waits at the block's barrier. Each half waits for
//           the other.
// Correct   correct: all threads of the tile call it. tiled: tiles of 8, a size that the compiler knows. sized: tiles of 16,
//           a size given at run time. coalesced: the threads that run together where a value is odd. binary: a
//           warp divided in two by a condition. labeled: by a label, here the last two bits of the value.
// Contract  blocks of 64 threads, as many as cover n, n a multiple of 64; v has n ints; sums start at 0, one for each:
//           broken, correct: warp. tiled: 8 values. sized: 16 values. coalesced: warp. binary: warp and bit. labeled:
//           warp and label. Sums wrap.
// Expect    broken: deadlock. all others: no findings, the exact sums.
// PTX       partition_broken: bra; shfl.sync; bar|barrier.sync; atom|red.global.add
// PTX       partition_correct: shfl.sync; atom|red.global.add
// PTX       partition_tiled: shfl.sync; atom|red.global.add
// PTX       partition_sized: bar.warp.sync; atom|red.global.add
// PTX       partition_coalesced: activemask; shfl.sync; atom|red.global.add
// PTX       partition_binary: vote.sync.ballot; shfl.sync; atom|red.global.add
// PTX       partition_labeled: match.any.sync; shfl.sync; atom|red.global.add

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

#define BLOCK 64

extern "C" __global__ void partition_broken(const int* v, int* sums) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;

    int sum = 0;
    if (warp.thread_rank() < 16) {
        // BUG: the sum waits for the whole tile, and half of the tile waits for the block.
        sum = cg::reduce(warp, v[i], cg::plus<int>());
    }
    block.sync();
    if (warp.thread_rank() == 0) atomicAdd(&sums[i / 32], sum);
}

extern "C" __global__ void partition_correct(const int* v, int* sums) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    // FIX: all threads of the tile call it.
    const int sum = cg::reduce(warp, v[i], cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&sums[i / 32], sum);
}

extern "C" __global__ void partition_tiled(const int* v, int* sums) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    int sum = v[i];
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
    if (tile.thread_rank() == 0) atomicAdd(&sums[i / 8], sum);
}

extern "C" __global__ void partition_sized(const int* v, int* sums) {
    __shared__ int cell[BLOCK];
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 16);
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    cell[threadIdx.x] = v[i];
    tile.sync();
    if (tile.thread_rank() == 0) {
        int sum = 0;
        for (unsigned rank = 0; rank < tile.size(); rank++) sum += cell[threadIdx.x + rank];
        atomicAdd(&sums[i / 16], sum);
    }
}

extern "C" __global__ void partition_coalesced(const int* v, int* sums) {
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (v[i] & 1) {
        cg::coalesced_group together = cg::coalesced_threads();
        const int sum = cg::reduce(together, v[i], cg::plus<int>());
        if (together.thread_rank() == 0) atomicAdd(&sums[i / 32], sum);
    }
}

extern "C" __global__ void partition_binary(const int* v, int* sums) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    const int bit = v[i] & 1;
    cg::coalesced_group half = cg::binary_partition(warp, bit != 0);
    const int sum = cg::reduce(half, v[i], cg::plus<int>());
    if (half.thread_rank() == 0) atomicAdd(&sums[i / 32 * 2 + bit], sum);
}

extern "C" __global__ void partition_labeled(const int* v, int* sums) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    const int label = v[i] & 3;
    cg::coalesced_group alike = cg::labeled_partition(warp, label);
    const int sum = cg::reduce(alike, v[i], cg::plus<int>());
    if (alike.thread_rank() == 0) atomicAdd(&sums[i / 32 * 4 + label], sum);
}
