// lesson04/filter_tiles.cu: filter in free order, one global atomic per tile of thousands of elements.
//
// Idea      A block packs what its tile keeps in shared memory. It asks for all the indices at once, and then its
//           threads store neighbours to neighbours, 16 bytes at a time.
// Ladder    tiles: after filter_warp in filter_ladder.cu, which asks once per warp and stores what each warp has.
// Contract  n <= 2^31; src and dst have n ints and begin at multiples of 16 bytes; kept is one unsigned; blocks of 32
//           to 352 threads, a multiple of 32; a block for each 32 * blockDim.x elements, at least one. asked is one
//           64-bit word that is 0. The kernel leaves it 0, for the next launch.
// Expect    no findings; kept is the number of positive elements, and dst[0 .. kept-1] holds them in some order.
// PTX       filter_tiles: ld.global.v4; shfl.sync; bar.sync; atom.global.add.u64; bar.sync; ld.shared.v4; st.global.v4

#include "filter_tile.cuh"

extern "C" __global__ void __launch_bounds__(MOST_THREADS)
filter_tiles(int* dst, unsigned* kept, const int* src, unsigned n, unsigned long long* asked) {
    __shared__ __align__(16) int packed[MOST_THREADS * 4 * FOURS];
    __shared__ unsigned start;

    Values values;
    load_tile(values, src, n, blockIdx.x);
    unsigned place[FOURS], before = 0;
    const unsigned in_warp = count_warp(values, place);
    const unsigned count = count_block(in_warp, &before);

    if (threadIdx.x == 0) {
        // Upper half: how many blocks have asked. Lower half: how many elements they keep.
        const unsigned long long found = atomicAdd(asked, (1ull << 32) + count);
        start = static_cast<unsigned>(found);
        if (found >> 32 == gridDim.x - 1) {
            // All others have asked: this is the sum. Nobody will look at the word again.
            *kept = start + count;
            atomicExch(asked, 0);
        }
    }
    // While thread 0 waits for its answer.
    pack(packed, values, place, before);
    __syncthreads();

    // In any order: so the first elements fill the gap to a multiple of 16 bytes with what int4s leave over.
    const unsigned gap = min(count, (0 - start) % 4);
    const unsigned fours = (count - gap) / 4;
    int4* to = reinterpret_cast<int4*>(dst + start + gap);
    for (unsigned i = threadIdx.x; i < fours; i += blockDim.x) to[i] = reinterpret_cast<const int4*>(packed)[i];

    // At most 6: up to 3 before the int4s, and up to 3 after them.
    const unsigned i = threadIdx.x;
    if (i < count - 4 * fours) dst[start + (i < gap ? i : 4 * fours + i)] = packed[4 * fours + i];
}
