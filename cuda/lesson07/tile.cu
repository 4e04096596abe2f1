// Arch: sm_90
// lesson07/tile.cu: tiles of two arrays come into shared memory by bulk copies; their products go out in reverse.
//
// Idea      One thread starts a bulk copy of a whole tile, and no thread takes part in it. A barrier object counts its
//           bytes. Its phase is complete when all threads that it expects and all bytes have arrived.
// Broken    tile_broken: a barrier where the wait is needed. A barrier waits for threads, not for copies.
//           tile_bytes: the barrier expects the bytes of one copy, but two bring theirs.
//           tile_refilled: its barrier is before the reads, so the next copies may start while other threads read.
//           tile_parity: in the second iteration it waits for the first phase again, which is complete.
// Correct   The barrier expects all bytes. Each thread waits for this iteration's phase before it reads, and a
//           __syncthreads() comes before the tiles are filled again.
// Contract  128 threads a block, any number of blocks; v, w and out have n ints, rounded up to a multiple of 4, since a
//           bulk copy moves units of 16 bytes. Tiles of 256 ints; a block takes at most two of them.
// Expect    broken, bytes, refilled: race-shared. parity: race-shared, and livelock if a thread comes when the second
//           phase is complete too. correct: no findings; out has v * w with each tile reversed.
// PTX       tile_broken: mbarrier.arrive.expect_tx; cp.async.bulk; cp.async.bulk; not mbarrier.try_wait; ld.shared
// PTX       tile_bytes: mbarrier.arrive.expect_tx; cp.async.bulk; cp.async.bulk; mbarrier.try_wait; ld.shared
// PTX       tile_refilled: cp.async.bulk; cp.async.bulk; mbarrier.try_wait; bar|barrier; ld.shared; not bar|barrier
// PTX       tile_parity: cp.async.bulk; cp.async.bulk; mbarrier.try_wait.parity; ld.shared; bar|barrier
// PTX       tile_correct: cp.async.bulk; cp.async.bulk; mbarrier.try_wait.parity; ld.shared; bar|barrier

#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
using ptx::space_global, ptx::space_shared;

#define TILE 256

// Ints in the tile that begins at `first`.
__device__ unsigned ints_in(unsigned first, unsigned n) {
    return min(TILE, n - first);
}

// Bytes of a bulk copy of so many ints: whole units of 16.
__device__ unsigned bytes_of(unsigned count) {
    return (count + 3) / 4 * 16;
}

// One thread makes `full` a barrier object that expects one arrival a phase, and all threads see it.
__device__ void init(uint64_t* full) {
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(full, 1);
        ptx::fence_proxy_async(space_shared); // Bulk copies see it as well.
    }
    __syncthreads();
}

// Arrives, and makes the phase wait for so many bytes besides.
__device__ void expect(uint64_t* full, unsigned bytes) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, full, bytes);
}

// Waits until the phase of this parity is complete: the first one is 0, the next one 1, then 0 again.
__device__ void wait(uint64_t* full, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(full, parity)) {}
}

extern "C" __global__ void tile_broken(const int* v, const int* w, int* out, unsigned n) {
    __shared__ alignas(16) int a[TILE];
    __shared__ alignas(16) int b[TILE];
    __shared__ uint64_t full;
    init(&full);
    unsigned parity = 0;
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n), bytes = bytes_of(count);
        if (threadIdx.x == 0) {
            expect(&full, 2 * bytes);
            ptx::cp_async_bulk(space_shared, space_global, a, v + first, bytes, &full);
            ptx::cp_async_bulk(space_shared, space_global, b, w + first, bytes, &full);
        }
        __syncthreads();
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            // BUG: the barrier waits for threads. The copies have only been started, and may write at any time.
            out[first + i] = a[count - 1 - i] * b[count - 1 - i];
        }
        wait(&full, parity);
        parity ^= 1;
        __syncthreads();
    }
}

extern "C" __global__ void tile_bytes(const int* v, const int* w, int* out, unsigned n) {
    __shared__ alignas(16) int a[TILE];
    __shared__ alignas(16) int b[TILE];
    __shared__ uint64_t full;
    init(&full);
    unsigned parity = 0;
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n), bytes = bytes_of(count);
        if (threadIdx.x == 0) {
            expect(&full, bytes);
            ptx::cp_async_bulk(space_shared, space_global, a, v + first, bytes, &full);
            // BUG: the phase does not expect these bytes. It is complete when as many have come, from either copy.
            ptx::cp_async_bulk(space_shared, space_global, b, w + first, bytes, &full);
        }
        wait(&full, parity);
        parity ^= 1;
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            out[first + i] = a[count - 1 - i] * b[count - 1 - i];
        }
        __syncthreads();
    }
}

extern "C" __global__ void tile_refilled(const int* v, const int* w, int* out, unsigned n) {
    __shared__ alignas(16) int a[TILE];
    __shared__ alignas(16) int b[TILE];
    __shared__ uint64_t full;
    init(&full);
    unsigned parity = 0;
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n), bytes = bytes_of(count);
        if (threadIdx.x == 0) {
            expect(&full, 2 * bytes);
            // BUG: in the second iteration, other threads may still read what this copy overwrites.
            ptx::cp_async_bulk(space_shared, space_global, a, v + first, bytes, &full);
            ptx::cp_async_bulk(space_shared, space_global, b, w + first, bytes, &full);
        }
        wait(&full, parity);
        parity ^= 1;
        __syncthreads(); // All threads have waited, but none has read.
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            out[first + i] = a[count - 1 - i] * b[count - 1 - i];
        }
    }
}

extern "C" __global__ void tile_parity(const int* v, const int* w, int* out, unsigned n) {
    __shared__ alignas(16) int a[TILE];
    __shared__ alignas(16) int b[TILE];
    __shared__ uint64_t full;
    init(&full);
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n), bytes = bytes_of(count);
        if (threadIdx.x == 0) {
            expect(&full, 2 * bytes);
            ptx::cp_async_bulk(space_shared, space_global, a, v + first, bytes, &full);
            ptx::cp_async_bulk(space_shared, space_global, b, w + first, bytes, &full);
        }
        wait(&full, 0);
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            // BUG: in the second iteration phase 0 is long complete, and the copies are of phase 1.
            out[first + i] = a[count - 1 - i] * b[count - 1 - i];
        }
        __syncthreads();
    }
}

extern "C" __global__ void tile_correct(const int* v, const int* w, int* out, unsigned n) {
    __shared__ alignas(16) int a[TILE];
    __shared__ alignas(16) int b[TILE];
    __shared__ uint64_t full;
    init(&full);
    unsigned parity = 0;
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = ints_in(first, n), bytes = bytes_of(count);
        if (threadIdx.x == 0) {
            expect(&full, 2 * bytes); // FIX: the bytes of both.
            ptx::cp_async_bulk(space_shared, space_global, a, v + first, bytes, &full);
            ptx::cp_async_bulk(space_shared, space_global, b, w + first, bytes, &full);
        }
        wait(&full, parity); // FIX: before the reads.
        parity ^= 1; // FIX: the next iteration waits for the next phase.
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            out[first + i] = a[count - 1 - i] * b[count - 1 - i];
        }
        __syncthreads(); // FIX: all threads have read, so the tiles may be filled again.
    }
}
