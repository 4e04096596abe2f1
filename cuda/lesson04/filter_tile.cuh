// lesson04/filter_tile.cuh: how a block filters one tile. Its kernels differ in how the tile gets its indices in dst.

#pragma once

#define MOST_THREADS 256
#define FOURS 4 // int4s per thread: 64 bytes are on their way before the first value is used.
#define FULL_MASK 0xffffffffu

// What a thread holds of the tile: FOURS times four neighbours. A warp holds 512 neighbours, a block one tile.
typedef int Values[FOURS][4];

__device__ inline unsigned tile_size() {
    return blockDim.x * (4 * FOURS);
}

// Elements past the end of src become 0, which is not kept.
__device__ inline void load_tile(Values& values, const int* src, unsigned n, unsigned tile) {
    const unsigned end = (tile + 1) * tile_size();
    const unsigned first = tile * tile_size() + threadIdx.x / 32 * (128 * FOURS) + threadIdx.x % 32 * 4;
#pragma unroll
    for (unsigned j = 0; j < FOURS; j++) {
        const unsigned i = first + 128 * j;
        if (end <= n) {
            const int4 four = *reinterpret_cast<const int4*>(src + i);
            values[j][0] = four.x, values[j][1] = four.y, values[j][2] = four.z, values[j][3] = four.w;
        } else {
            for (unsigned e = 0; e < 4; e++) values[j][e] = i + e < n ? src[i + e] : 0;
        }
    }
}

// Counts what the warp keeps. place[j] becomes the number of those that come before the thread's values[j].
__device__ inline unsigned count_warp(const Values& values, unsigned (&place)[FOURS]) {
    const unsigned lane = threadIdx.x % 32;
    // Four counts in the four bytes of one word: none exceeds 128, so one scan adds up all of them.
    unsigned own = 0;
    for (unsigned j = 0; j < FOURS; j++) {
        for (unsigned e = 0; e < 4; e++) own += values[j][e] > 0 ? 1u << (8 * j) : 0;
    }
    unsigned sum = own; // Of the lanes up to this one.
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned left = __shfl_up_sync(FULL_MASK, sum, distance);
        if (lane >= distance) sum += left;
    }
    const unsigned all = __shfl_sync(FULL_MASK, sum, 31);
    unsigned count = 0;
    for (unsigned j = 0; j < FOURS; j++) {
        place[j] = count + ((sum - own) >> (8 * j) & 0xff);
        count += all >> (8 * j) & 0xff;
    }
    return count;
}

// From the warps' counts: what the block keeps, and in *before what the warps before this one keep.
__device__ inline unsigned count_block(unsigned count, unsigned* before) {
    __shared__ unsigned counts[MOST_THREADS / 32];
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) counts[warp] = count;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; w++) {
        if (w == warp) *before = sum;
        sum += counts[w];
    }
    return sum;
}

// Where element i of the tile's result lies in shared memory. Neighbours in a thread's four go to one bank in each of
// four rows of 32 banks. A turn within the four, different for each row, gives every row banks of its own.
__device__ inline unsigned spread(unsigned i) {
    return i ^ (i / 32 % 4);
}

// Packs the kept elements in shared memory, in the order of src.
__device__ inline void pack(int* packed, const Values& values, const unsigned (&place)[FOURS], unsigned before) {
    for (unsigned j = 0; j < FOURS; j++) {
        unsigned i = before + place[j];
        for (unsigned e = 0; e < 4; e++) {
            if (values[j][e] > 0) packed[spread(i++)] = values[j][e];
        }
    }
}
