// Arch: sm_80
// lesson06/async_copy.cu: tiles are copied into shared memory while their threads do other work.
//
// Idea      cg::memcpy_async() only starts a copy. Until a wait it may read and write at any time. No thread may read
//           its target before that, or write there.
// Broken    async_copy_broken: a barrier where a wait is needed. A barrier waits for threads, not for copies.
//           async_copy_reused: it waits, but starts the next copy into a tile that other threads still read.
// Correct   cg::wait() before a tile is read, and a barrier before it is used again.
// Ladder    loads: the same with loads and stores, through registers. stages: two tiles. One is filled while the other is read;
//           cg::wait_prior<1>() does not wait for the latest copy.
// Contract  128 threads a block, any number of blocks; v and out have n ints. Tiles of 256 ints; a block takes
//           every gridDim.x-th of them.
// Expect    broken, reused: race-shared. correct, loads, stages: no findings; out is v with each tile reversed.
// PTX       async_copy_broken: cp.async.shared.global; bar|barrier; ld.shared; never cp.async.wait_group
// PTX       async_copy_reused: cp.async.shared.global; cp.async.wait_group; bar|barrier; ld.shared; not bar|barrier
// PTX       async_copy_correct: cp.async.shared.global; cp.async.wait_group; bar|barrier; ld.shared; bar|barrier
// PTX       async_copy_loads: ld.global; st.shared; bar|barrier; ld.shared; bar|barrier; never cp.async
// PTX       async_copy_stages: cp.async.shared.global; cp.async.wait_group 1; bar|barrier; ld.shared; bar|barrier

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

#define TILE 256

// Ints in the tile that begins at `first`; 0 after the end of the vector.
__device__ unsigned ints_in(unsigned first, unsigned n) {
    return first < n ? min(TILE, n - first) : 0;
}

__device__ void put_turned(const cg::thread_block& block, int* out, const int* tile, unsigned count) {
    for (unsigned i = block.thread_rank(); i < count; i += block.size()) out[i] = tile[count - 1 - i];
}

extern "C" __global__ void async_copy_broken(const int* v, int* out, unsigned n) {
    __shared__ int tile[TILE];
    cg::thread_block block = cg::this_thread_block();
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n);
        // BUG: this only starts a copy. The barrier waits for threads, not for the copy.
        cg::memcpy_async(block, tile, v + first, sizeof(int) * count);
        block.sync();
        put_turned(block, out + first, tile, count);
        block.sync();
    }
}

extern "C" __global__ void async_copy_reused(const int* v, int* out, unsigned n) {
    __shared__ int tile[TILE];
    cg::thread_block block = cg::this_thread_block();
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n);
        // BUG: from the second iteration on, other threads may still read what this copy overwrites.
        cg::memcpy_async(block, tile, v + first, sizeof(int) * count);
        cg::wait(block);
        put_turned(block, out + first, tile, count);
    }
}

extern "C" __global__ void async_copy_correct(const int* v, int* out, unsigned n) {
    __shared__ int tile[TILE];
    cg::thread_block block = cg::this_thread_block();
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n);
        cg::memcpy_async(block, tile, v + first, sizeof(int) * count);
        cg::wait(block); // FIX: waits for the thread's own copies; the barrier in it, for those of all threads.
        put_turned(block, out + first, tile, count);
        block.sync(); // FIX: all threads have read, so the tile may be filled again.
    }
}

extern "C" __global__ void async_copy_loads(const int* v, int* out, unsigned n) {
    __shared__ int tile[TILE];
    cg::thread_block block = cg::this_thread_block();
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n);
        for (unsigned i = block.thread_rank(); i < count; i += block.size()) tile[i] = v[first + i];
        block.sync();
        put_turned(block, out + first, tile, count);
        block.sync();
    }
}

extern "C" __global__ void async_copy_stages(const int* v, int* out, unsigned n) {
    __shared__ int tiles[2][TILE];
    cg::thread_block block = cg::this_thread_block();
    const unsigned step = gridDim.x * TILE;
    unsigned first = blockIdx.x * TILE;
    cg::memcpy_async(block, tiles[0], v + first, sizeof(int) * ints_in(first, n));
    for (unsigned now = 0; first < n; first += step, now ^= 1) {
        // After the end it copies nothing, but it still counts as a copy for wait_prior().
        cg::memcpy_async(block, tiles[now ^ 1], v + first + step, sizeof(int) * ints_in(first + step, n));
        cg::wait_prior<1>(block); // All but the latest.
        put_turned(block, out + first, tiles[now], ints_in(first, n));
        block.sync();
    }
    cg::wait(block); // A block does not end before its copies.
}
