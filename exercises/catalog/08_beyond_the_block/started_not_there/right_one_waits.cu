// Thread 0 waits for the copy, and the barrier makes the others wait for thread 0.

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

extern "C" __global__ void turn_round(const int* v, unsigned n, int* out) {
    __shared__ alignas(16) int tile[512];
    __shared__ uint64_t full;
    const unsigned t = threadIdx.x, bytes = n * sizeof(int);

    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, bytes);
        ptx::cp_async_bulk(space_shared, space_global, tile, v, bytes, &full);
        while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
    }
    __syncthreads();
    for (unsigned i = t; i < n; i += 128) out[i] = tile[n - 1 - i];
}
