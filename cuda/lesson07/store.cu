// Arch: sm_90
// lesson07/store.cu: squares are made in shared memory and stored by bulk copies. The last block adds them up.
//
// Idea      Bulk copies access memory through the asynchronous proxy. A barrier orders a write before a copy, but only
//           a proxy fence makes it visible there. And a copy that has read its source has not yet written.
// Broken    store_broken: no proxy fence between the writes to the tile and the copy that reads it.
//           store_reused: it writes the next squares to the tile while the copy may still read the last ones.
//           store_unfinished: it waits until the copies have read the tile, but not until they have written.
// Correct   Each thread passes a proxy fence before the barrier. The thread that starts a copy waits for its reads
//           before the tile is written again. It waits for its writes before it says that the block is done.
// Contract  128 threads a block, any number of blocks; v and out have n ints, rounded up to a multiple of 4, since a
//           bulk copy moves units of 16 bytes. *done and *total start at 0. Tiles of 256 ints; a block takes every
//           gridDim.x-th of them.
// Expect    broken, reused: race-shared. unfinished: race-global. correct: no findings; out has the squares, *total
//           their sum.
// PTX       store_broken: st.shared; not fence.proxy.async; bar|barrier; cp.async.bulk.global; atom.global.add
// PTX       store_reused: fence.proxy.async; cp.async.bulk.global; not cp.async.bulk.wait_group.read; bar|barrier
// PTX       store_unfinished: cp.async.bulk.global; cp.async.bulk.wait_group.read; not cp.async.bulk.wait_group; atom
// PTX       store_correct: fence.proxy.async; bar|barrier; cp.async.bulk.global; cp.async.bulk.wait_group.read; atom

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global, ptx::space_shared;

#define TILE 256

// Ints in the tile that begins at `first`.
__device__ unsigned ints_in(unsigned first, unsigned n) {
    return min(TILE, n - first);
}

// Ints of a bulk copy of so many: whole units of 16 bytes.
__device__ unsigned whole(unsigned count) {
    return (count + 3) / 4 * 4;
}

__device__ int square(int value) {
    return value * value;
}

// The last block to come here adds up what all have stored.
__device__ void add_up_if_last(const int* out, unsigned n, unsigned* done, int* total) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last) return;
    int own = 0;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) own += out[i];
    atomicAdd(total, own);
}

extern "C" __global__ void store_broken(const int* v, int* out, unsigned n, unsigned* done, int* total) {
    __shared__ alignas(16) int tile[TILE];
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = whole(ints_in(first, n));
        int* to = out + first;
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            tile[i] = square(v[first + i]);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            // BUG: the copy may find in the tile what was there before the barrier.
            ptx::cp_async_bulk(space_global, space_shared, to, tile, 4 * count);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    add_up_if_last(out, n, done, total);
}

extern "C" __global__ void store_reused(const int* v, int* out, unsigned n, unsigned* done, int* total) {
    __shared__ alignas(16) int tile[TILE];
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = whole(ints_in(first, n));
        int* to = out + first;
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            // BUG: from the second iteration on, the copy before may still read the tile.
            tile[i] = square(v[first + i]);
        }
        ptx::fence_proxy_async(space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(space_global, space_shared, to, tile, 4 * count);
            ptx::cp_async_bulk_commit_group();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    add_up_if_last(out, n, done, total);
}

extern "C" __global__ void store_unfinished(const int* v, int* out, unsigned n, unsigned* done, int* total) {
    __shared__ alignas(16) int tile[TILE];
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = whole(ints_in(first, n));
        int* to = out + first;
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            tile[i] = square(v[first + i]);
        }
        ptx::fence_proxy_async(space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            // BUG: nothing waits until this has written.
            ptx::cp_async_bulk(space_global, space_shared, to, tile, 4 * count);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
    add_up_if_last(out, n, done, total);
}

extern "C" __global__ void store_correct(const int* v, int* out, unsigned n, unsigned* done, int* total) {
    __shared__ alignas(16) int tile[TILE];
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = whole(ints_in(first, n));
        int* to = out + first;
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            tile[i] = square(v[first + i]);
        }
        ptx::fence_proxy_async(space_shared); // FIX: copies see what this thread has written.
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(space_global, space_shared, to, tile, 4 * count);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); // FIX: the tile may be written again.
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>()); // FIX: out is written.
    add_up_if_last(out, n, done, total);
}
