// wrong: livelock
// Only thread 0 goes on to the next phase.

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

    unsigned parity = 0;
    for (unsigned first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        const unsigned count = min(TILE, n - first), bytes = count * sizeof(int);
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, bytes);
            ptx::cp_async_bulk(space_shared, space_global, tile, v + first, bytes, &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, parity)) {}
        if (t == 0) parity ^= 1;
        for (unsigned i = t; i < count; i += blockDim.x) out[first + i] = tile[i] + tile[count - 1 - i];
        // All threads have read after this, so the tile may be filled again.
        __syncthreads();
    }
}
