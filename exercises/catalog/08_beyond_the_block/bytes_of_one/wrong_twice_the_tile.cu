// wrong: livelock
// Two copies, so twice the bytes. The weights are fewer, and the rest never comes.

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

extern "C" __global__ void weigh(const int* v, const int* w, unsigned n, int* out) {
    __shared__ alignas(16) int tile[256];
    __shared__ alignas(16) int weights[16];
    __shared__ uint64_t full;
    const unsigned t = threadIdx.x, first = blockIdx.x * 256;
    const unsigned count = min(256, n - first), bytes = count * sizeof(int);

    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(space_shared);
        const unsigned all = 2 * bytes + 64;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, all);
        ptx::cp_async_bulk(space_shared, space_global, tile, v + first, bytes, &full);
        ptx::cp_async_bulk(space_shared, space_global, weights, w, sizeof(weights), &full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
    for (unsigned i = t; i < count; i += 128) out[first + i] = tile[i] * weights[i % 16];
}
