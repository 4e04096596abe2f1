// same_phase_again: tile after tile comes into shared memory. Each element is added to its mirror image in the tile.
//
// Given    One or two blocks of 64 threads. Two blocks take the tiles in turn. A tile has 128 ints; the last one may be
//          shorter. `full` has one phase for each tile of its block: first with parity 0, then 1, then 0 again.
// Range    n is a multiple of 4 from 4 to 512; gridDim.x is 1 or 2; v has values from -99 to 99.
// Do       out[first + i] = v[first + i] + v[first + count - 1 - i], for each tile of `count` elements from `first` on.
// Problem  Each iteration waits, and all but the first one wait for nothing.
//
// Read     lesson07-beyond-the-block/README.md, "Which phase"; cargo learn explain race-shared

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

#define TILE 128

extern "C" __global__ void pair_up(const int* v, unsigned n, int* out) {
    __shared__ alignas(16) int tile[TILE];
    __shared__ uint64_t full;
    const unsigned t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(space_shared);
    }
    __syncthreads();

    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = min(TILE, n - first), bytes = count * sizeof(int);
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, bytes);
            ptx::cp_async_bulk(space_shared, space_global, tile, v + first, bytes, &full);
        }
        // TODO: which phase is complete when this iteration's tile has come?
        while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
        for (unsigned i = t; i < count; i += blockDim.x) out[first + i] = tile[i] + tile[count - 1 - i];
        // All threads have read after this, so the tile may be filled again.
        __syncthreads();
    }
}
