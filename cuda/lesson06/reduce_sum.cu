// lesson06/reduce_sum.cu: the sum over any group: a block, a tile of it, the threads that run together.
//
// Idea      A function that takes a group as its argument works for any group: it asks for rank and size, and calls
//           sync() on the group. Its accesses to shared memory must be ordered, for any number of calls.
// Broken    broken: the second sync() is missing. Called twice with one temp, the second call stores where the first may still
//           read. once: the same, called once. Then every later store writes the value that is already there, and the
//           sums are right. It is still a race by the letter.
//           halving: half of 3 is 1, and the third value is dropped.
// Correct   correct: a barrier before and after the loads, and half rounded up. tile: the same function for tiles of 16.
//           coalesced: for the threads of a warp that have an odd value and run together.
// Contract  blocks of 96 threads, as many as cover n; v has n ints; sums and squares have one for each block; they start
//           at 0 for tile and coalesced. halving and once do not use squares. Sums wrap.
// Expect    broken, once: race-shared. halving: wrong-result. correct, tile, coalesced: no findings, the exact sums.
// PTX       reduce_sum_broken: st.shared; bar|barrier; ld.shared; not bar; not barrier; st.shared
// PTX       reduce_sum_once: st.shared; bar|barrier; ld.shared
// PTX       reduce_sum_halving: st.shared; bar|barrier; ld.shared; bar|barrier
// PTX       reduce_sum_correct: st.shared; bar|barrier; ld.shared; bar|barrier; st.shared; bar|barrier; ld.shared
// PTX       reduce_sum_tile: st.shared; bar.warp.sync; ld.shared; bar.warp.sync
// PTX       reduce_sum_coalesced: activemask; st.shared; bar.warp.sync; ld.shared

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define BLOCK 96
#define TILE 16

// The thread of rank 0 gets the whole sum. temp has one element per thread of the group.
__device__ int reduce_sum(const cg::thread_group& group, int* temp, int val) {
    const unsigned rank = group.thread_rank();
    for (unsigned left = group.size(); left > 1;) {
        const unsigned half = (left + 1) / 2;
        temp[rank] = val;
        group.sync();
        if (rank + half < left) val += temp[rank + half];
        group.sync();
        left = half;
    }
    return val;
}

extern "C" __global__ void reduce_sum_broken(const int* v, unsigned n, int* sums, int* squares) {
    __shared__ int temp[128];
    cg::thread_group group = cg::this_thread_block();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, rank = group.thread_rank();

    auto reduce_sum = [&](int val) {
        for (unsigned half = 64; half > 0; half /= 2) {
            // BUG: no barrier between the loads of the last iteration, or of the last call, and this store.
            temp[rank] = val;
            group.sync();
            if (rank < half) val += temp[rank + half];
        }
        return val;
    };
    temp[rank + 32] = 0;
    group.sync();
    const int own = i < n ? v[i] : 0;
    const int sum = reduce_sum(own);
    const int square = reduce_sum(own * own);
    if (rank == 0) {
        sums[blockIdx.x] = sum;
        squares[blockIdx.x] = square;
    }
}

extern "C" __global__ void reduce_sum_once(const int* v, unsigned n, int* sums, int* squares) {
    __shared__ int temp[128];
    cg::thread_group group = cg::this_thread_block();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, rank = group.thread_rank();

    temp[rank + 32] = 0;
    group.sync();
    int val = i < n ? v[i] : 0;
    for (unsigned half = 64; half > 0; half /= 2) {
        // BUG: other threads may still load from here. This time they find the same value before and after.
        temp[rank] = val;
        group.sync();
        if (rank < half) val += temp[rank + half];
    }
    if (rank == 0) sums[blockIdx.x] = val;
}

extern "C" __global__ void reduce_sum_halving(const int* v, unsigned n, int* sums, int* squares) {
    __shared__ int temp[BLOCK];
    cg::thread_group group = cg::this_thread_block();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, rank = group.thread_rank();

    int val = i < n ? v[i] : 0;
    // BUG: 96, 48, 24, 12, 6, 3, and then 1: the third of three values is left out.
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        temp[rank] = val;
        group.sync();
        if (rank < half) val += temp[rank + half];
        group.sync();
    }
    if (rank == 0) sums[blockIdx.x] = val;
}

extern "C" __global__ void reduce_sum_correct(const int* v, unsigned n, int* sums, int* squares) {
    __shared__ int temp[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    const int own = i < n ? v[i] : 0;
    const int sum = reduce_sum(block, temp, own);
    const int square = reduce_sum(block, temp, own * own);
    if (block.thread_rank() == 0) {
        sums[blockIdx.x] = sum;
        squares[blockIdx.x] = square;
    }
}

extern "C" __global__ void reduce_sum_tile(const int* v, unsigned n, int* sums, int* squares) {
    __shared__ int temp[BLOCK];
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), TILE);
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    int* own_temp = temp + threadIdx.x / TILE * TILE;
    const int own = i < n ? v[i] : 0;
    const int sum = reduce_sum(tile, own_temp, own);
    const int square = reduce_sum(tile, own_temp, own * own);
    if (tile.thread_rank() == 0) {
        atomicAdd(&sums[blockIdx.x], sum);
        atomicAdd(&squares[blockIdx.x], square);
    }
}

extern "C" __global__ void reduce_sum_coalesced(const int* v, unsigned n, int* sums, int* squares) {
    __shared__ int temp[BLOCK];
    __shared__ unsigned used;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) used = 0;
    __syncthreads();

    const int own = i < n ? v[i] : 0;
    if (own & 1) {
        // The members are known only now: the warp's threads with odd values, or some of them if the warp has split.
        cg::coalesced_group group = cg::coalesced_threads();
        unsigned first = 0;
        if (group.thread_rank() == 0) first = atomicAdd(&used, group.size());
        first = group.shfl(first, 0);
        const int sum = reduce_sum(group, temp + first, own);
        const int square = reduce_sum(group, temp + first, own * own);
        if (group.thread_rank() == 0) {
            atomicAdd(&sums[blockIdx.x], sum);
            atomicAdd(&squares[blockIdx.x], square);
        }
    }
}
