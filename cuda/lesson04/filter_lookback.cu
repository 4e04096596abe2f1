// lesson04/filter_lookback.cu: filter that keeps the order, in one pass over the input.
//
// Idea      A tile's start in dst is what all tiles before it keep. Each tile publishes its own count at once, and
//           the sum up to itself as soon as it knows it. A warp looks back over 32 tiles at a time and adds counts up
//           to the nearest sum. So no tile waits for its predecessor's result, only for its count.
// Ladder    lookback: after filter_scan in filter_ladder.cu, which reads the input twice.
// Contract  n <= 2^31; src and dst have n ints, and src begins at a multiple of 16 bytes; kept is one unsigned; blocks
//           of 32 to 352 threads, a multiple of 32; a block for each 32 * blockDim.x elements, at least one. work has
//           1 + gridDim.x words of 64 bits, all 0 at the start of each launch.
// Expect    no findings; kept is the number of positive elements, and dst[0 .. kept-1] holds them in the order of src.
// PTX       filter_lookback: atom.global.add; bar.sync; ld.global.v4; bar.sync; st.relaxed.gpu; ld.relaxed.gpu
// PTX       filter_lookback: ld.relaxed.gpu; vote.sync.ballot; st.relaxed.gpu; bar.sync; ld.shared; st.global

#include <cuda/atomic>

#include "filter_tile.cuh"

typedef unsigned long long Word;

// A tile's state and value are in one word, so nobody sees one without the other: relaxed order is enough.
// The upper half is the state. 0: nothing is known yet.
#define COUNT (1ull << 32) // The lower half is what the tile keeps.
#define SUM (2ull << 32)   // The lower half is what the tile and all before it keep.

__device__ inline Word seen(Word& word) {
    return cuda::atomic_ref<Word, cuda::thread_scope_device>(word).load(cuda::memory_order_relaxed);
}

__device__ inline void publish(Word& word, Word value) {
    cuda::atomic_ref<Word, cuda::thread_scope_device>(word).store(value, cuda::memory_order_relaxed);
}

// What the tiles before this one keep. All lanes of one warp call it.
__device__ inline unsigned look_back(Word* tiles, int tile) {
    unsigned kept = 0;
    for (int i = tile - 1 - static_cast<int>(threadIdx.x % 32);; i -= 32) { // Lane 0 has the nearest tile.
        Word word;
        unsigned sums, needed;
        do {
            word = i >= 0 ? seen(tiles[i]) : SUM;
            sums = __ballot_sync(FULL_MASK, word >= SUM);
            needed = sums ^ (sums - 1); // The lanes up to the nearest sum; all, if there is none.
        } while (__ballot_sync(FULL_MASK, word < COUNT) & needed);

        unsigned part = needed >> threadIdx.x % 32 & 1 ? static_cast<unsigned>(word) : 0;
        for (int distance = 16; distance > 0; distance /= 2) part += __shfl_xor_sync(FULL_MASK, part, distance);
        kept += part;
        if (sums != 0) return kept;
    }
}

extern "C" __global__ void __launch_bounds__(MOST_THREADS)
filter_lookback(int* dst, unsigned* kept, const int* src, unsigned n, Word* work) {
    __shared__ int packed[MOST_THREADS * 4 * FOURS];
    __shared__ unsigned ticket, start;
    Word* tiles = work + 1;

    // Blocks may begin in any order. Whoever waits for a tile must know that its block has begun: so the tiles are
    // given out by a counter, and not by blockIdx.
    if (threadIdx.x == 0) ticket = static_cast<unsigned>(atomicAdd(work, 1));
    __syncthreads();
    const unsigned tile = ticket;

    Values values;
    load_tile(values, src, n, tile);
    unsigned place[FOURS], before = 0;
    const unsigned in_warp = count_warp(values, place);
    const unsigned count = count_block(in_warp, &before);
    if (threadIdx.x == 0) publish(tiles[tile], COUNT + count);

    pack(packed, values, place, before);

    if (threadIdx.x < 32) {
        const unsigned sum = look_back(tiles, tile);
        if (threadIdx.x == 0) {
            publish(tiles[tile], SUM + sum + count);
            start = sum;
            if (tile == gridDim.x - 1) *kept = sum + count;
        }
    }
    __syncthreads();

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) dst[start + i] = packed[i];
}
