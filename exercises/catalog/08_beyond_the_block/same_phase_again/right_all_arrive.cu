// All threads arrive, and each one waits with the token of its arrival: it names the phase, and needs no parity.

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

extern "C" __global__ void pair_up(const int* v, unsigned n, int* out) {
    __shared__ alignas(16) int tile[128];
    __shared__ uint64_t full;
    const unsigned t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, blockDim.x);
        ptx::fence_proxy_async(space_shared);
    }
    __syncthreads();
    for (unsigned first = blockIdx.x * 128; first < n; first += gridDim.x * 128) {
        const unsigned count = min(128, n - first), bytes = count * sizeof(int);
        uint64_t token;
        if (t == 0) {
            token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, bytes);
            ptx::cp_async_bulk(space_shared, space_global, tile, v + first, bytes, &full);
        } else {
            token = ptx::mbarrier_arrive(&full);
        }
        while (!ptx::mbarrier_try_wait(&full, token)) {}
        for (unsigned i = t; i < count; i += blockDim.x) out[first + i] = tile[i] + tile[count - 1 - i];
        __syncthreads();
    }
}
