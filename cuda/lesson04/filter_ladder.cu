// lesson04/filter_ladder.cu: filter, each rung has fewer threads at the one counter.
//
// Idea      Count locally first. Then ask the shared counter once for many elements.
// Ladder    (filter_correct in filter.cu: one global atomic per kept element.)
//           shared: a counter per block in shared memory, one global atomic per iteration.
//           warp: one global atomic per warp, by ballot, find-first-set, population count and shuffle.
//           groups: the same with cooperative groups, which compute the masks.
//           scan: no atomics, and the order is kept. Count each tile, scan the counts, scatter.
// Contract  n <= 2^31; src and dst have n ints; kept is one unsigned that starts at 0.
//           For shared: blocks of 256, grid of ceil(n / (256 * 8)). For warp and groups: at least n
//           threads, blocks a multiple of 32. For scan: three launches on one stream, tiles of 256 elements.
//           Both scan_count and scan have a grid of tiles = ceil(n / 256) blocks of 256 threads. Kernel
//           scan_offsets has one block of 1024. The array tile has tiles elements. With tiles = 0 only scan_offsets is launched.
// Expect    no findings; kept is the number of positive elements, and dst[0 .. kept-1] holds
//           them. After scan they are in the order of src, otherwise in any order.
// PTX       filter_shared: bar.sync; atom.shared.add; bar.sync; atom.global.add; st.global
// PTX       filter_warp: vote.sync.ballot; popc; atom.global.add; shfl.sync.idx; st.global
// PTX       filter_groups: activemask; atom.global.add; shfl.sync.idx; st.global
// PTX       filter_scan: vote.sync.ballot; bar.sync; st.global; never atom|red

#include <cooperative_groups.h>

#define BLOCK 256
#define NPER_THREAD 8
#define OFFSETS_BLOCK 1024
#define FULL_MASK 0xffffffffu

extern "C" __global__ void filter_shared(int* dst, unsigned* kept, const int* src, unsigned n) {
    __shared__ unsigned count;
    unsigned i = blockIdx.x * (NPER_THREAD * BLOCK) + threadIdx.x;

    for (int round = 0; round < NPER_THREAD; round++, i += BLOCK) {
        if (threadIdx.x == 0) count = 0;
        __syncthreads();

        const int value = i < n ? src[i] : 0;
        unsigned place = 0;
        if (value > 0) place = atomicAdd(&count, 1);
        __syncthreads();

        // From here on `count` is the index in dst where this iteration's elements start.
        if (threadIdx.x == 0) count = atomicAdd(kept, count);
        __syncthreads();

        if (value > 0) dst[count + place] = value;
        __syncthreads(); // Before thread 0 clears the counter for the next iteration.
    }
}

extern "C" __global__ void filter_warp(int* dst, unsigned* kept, const int* src, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;

    // All 32 lanes vote; those past the end vote "no". So the mask is known, not observed.
    const int value = i < n ? src[i] : 0;
    const unsigned keepers = __ballot_sync(FULL_MASK, value > 0);
    if (value > 0) {
        const unsigned leader = __ffs(keepers) - 1;
        unsigned first = 0;
        if (lane == leader) first = atomicAdd(kept, __popc(keepers));
        first = __shfl_sync(keepers, first, leader);
        dst[first + __popc(keepers & ((1u << lane) - 1))] = value;
    }
}

// Adds 1 to *counter for every thread of the group; each gets a value of its own.
__device__ unsigned aggregated_increment(unsigned* counter) {
    const cooperative_groups::coalesced_group group = cooperative_groups::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, group.size());
    return group.shfl(first, 0) + group.thread_rank();
}

extern "C" __global__ void filter_groups(int* dst, unsigned* kept, const int* src, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && src[i] > 0) dst[aggregated_increment(kept)] = src[i];
}

// How many elements each tile keeps.
extern "C" __global__ void filter_scan_count(const int* src, unsigned n, unsigned* tile) {
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    const unsigned count = __syncthreads_count(i < n && src[i] > 0);
    if (threadIdx.x == 0) tile[blockIdx.x] = count;
}

// Replaces each tile's count by the tile's start in dst. The sum of the counts is *kept.
extern "C" __global__ void filter_scan_offsets(unsigned* tile, unsigned tiles, unsigned* kept) {
    __shared__ unsigned sums[OFFSETS_BLOCK];
    const unsigned t = threadIdx.x;

    unsigned before = 0; // What the tiles of earlier iterations keep.
    for (unsigned start = 0; start < tiles; start += OFFSETS_BLOCK) {
        const unsigned count = start + t < tiles ? tile[start + t] : 0;
        sums[t] = count;
        __syncthreads();
        // After the iteration with distance d, sums[t] covers the 2d tiles that end with t.
        for (unsigned distance = 1; distance < OFFSETS_BLOCK; distance *= 2) {
            const unsigned left = t >= distance ? sums[t - distance] : 0;
            __syncthreads();
            sums[t] += left;
            __syncthreads();
        }
        if (start + t < tiles) tile[start + t] = before + sums[t] - count;
        before += sums[OFFSETS_BLOCK - 1];
        __syncthreads(); // Before the next iteration overwrites sums.
    }
    if (t == 0) *kept = before;
}

// Stores each kept element at its tile's start plus the number kept before it in the tile.
extern "C" __global__ void filter_scan(int* dst, const int* src, unsigned n, const unsigned* tile) {
    __shared__ unsigned warps[BLOCK / 32];
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;

    const int value = i < n ? src[i] : 0;
    const unsigned keepers = __ballot_sync(FULL_MASK, value > 0);
    if (lane == 0) warps[warp] = __popc(keepers);
    __syncthreads();

    unsigned place = tile[blockIdx.x] + __popc(keepers & ((1u << lane) - 1));
    for (unsigned w = 0; w < warp; w++) place += warps[w];
    if (value > 0) dst[place] = value;
}
