// lesson04/filter_tile.cuh: how a block filters one tile. Its kernels differ in how the tile gets its indices in dst.

#pragma once

// Large tiles ask seldom for their indices. 352 threads keep 44 KiB at most; a block may have 48.
#define MOST_THREADS 352
#define FOURS 8 // int4s per thread: 128 bytes are on their way before the first value is used.
#define FULL_MASK 0xffffffffu

// What a thread holds of the tile: FOURS times four neighbours. A warp holds 1024 neighbours, a block one tile.
typedef int Values[FOURS][4];

__device__ inline unsigned tile_size() {
    return blockDim.x * (4 * FOURS);
}

// Elements past the end of src become 0, which is not kept.
__device__ inline void load_tile(Values& values, const int* src, unsigned n, unsigned tile) {
    const unsigned end = (tile + 1) * tile_size();
    const unsigned first = tile * tile_size() + threadIdx.x / 32 * (128 * FOURS) + threadIdx.x % 32 * 4;
    if (end <= n) {
        const int4* fours = reinterpret_cast<const int4*>(src + first);
        for (unsigned j = 0; j < FOURS; j++) {
            const int4 four = __ldg(fours + 32 * j); // By the path for what no thread writes.
            values[j][0] = four.x, values[j][1] = four.y, values[j][2] = four.z, values[j][3] = four.w;
        }
    } else {
        for (unsigned j = 0; j < FOURS; j++) {
            for (unsigned e = 0; e < 4; e++) {
                const unsigned i = first + 128 * j + e;
                values[j][e] = i < n ? src[i] : 0;
            }
        }
    }
}

// The sum of the values of the lanes up to this one.
template <class T>
__device__ inline T sum_of_lanes(T value) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const T left = __shfl_up_sync(FULL_MASK, value, distance);
        if (lane >= distance) value += left;
    }
    return value;
}

// Counts what the warp keeps. place[j] becomes the number of those that come before the thread's values[j].
__device__ inline unsigned count_warp(const Values& values, unsigned (&place)[FOURS]) {
    // Eight counts in the eight bytes of a word: none exceeds 128, so one scan over the lanes adds up all of them.
    unsigned long long own = 0;
    for (unsigned j = 0; j < FOURS; j++) {
        unsigned long long count = 0;
        for (unsigned e = 0; e < 4; e++) count += values[j][e] > 0;
        own += count << (8 * j);
    }
    const unsigned long long sum = sum_of_lanes(own);
    const unsigned long long all = __shfl_sync(FULL_MASK, sum, 31);
    unsigned count = 0;
    for (unsigned j = 0; j < FOURS; j++) {
        place[j] = count + static_cast<unsigned>((sum - own) >> (8 * j) & 0xff);
        count += static_cast<unsigned>(all >> (8 * j) & 0xff);
    }
    return count;
}

// From the warps' counts: what the block keeps, and in *before what the warps before this one keep.
__device__ inline unsigned count_block(unsigned count, unsigned* before) {
    __shared__ unsigned counts[MOST_THREADS / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) counts[warp] = count;
    __syncthreads();
    // Every warp adds up all counts, one per lane.
    const unsigned own = lane < blockDim.x / 32 ? counts[lane] : 0;
    const unsigned sum = sum_of_lanes(own);
    *before = __shfl_sync(FULL_MASK, sum - own, warp);
    return __shfl_sync(FULL_MASK, sum, 31);
}

// Packs the kept elements in shared memory, in the order of src.
__device__ inline void pack(int* packed, const Values& values, const unsigned (&place)[FOURS], unsigned before) {
    for (unsigned j = 0; j < FOURS; j++) {
        unsigned i = before + place[j];
        for (unsigned e = 0; e < 4; e++) {
            if (values[j][e] > 0) packed[i++] = values[j][e];
        }
    }
}
