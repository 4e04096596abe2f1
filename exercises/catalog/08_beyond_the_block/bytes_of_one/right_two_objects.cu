// A barrier object for each copy. All threads wait for both.

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

__device__ void bring(int* to, const int* from, unsigned bytes, uint64_t* full) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_proxy_async(space_shared);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, full, bytes);
    ptx::cp_async_bulk(space_shared, space_global, to, from, bytes, full);
}

extern "C" __global__ void weigh(const int* v, const int* w, unsigned n, int* out) {
    __shared__ alignas(16) int tile[256];
    __shared__ alignas(16) int weights[16];
    __shared__ uint64_t full[2];
    const unsigned t = threadIdx.x, first = blockIdx.x * 256;
    const unsigned count = min(256, n - first);

    if (t == 0) bring(tile, v + first, count * sizeof(int), &full[0]);
    if (t == 32) bring(weights, w, sizeof(weights), &full[1]);
    __syncthreads();
    for (unsigned k = 0; k < 2; k++) {
        while (!ptx::mbarrier_try_wait_parity(&full[k], 0)) {}
    }
    for (unsigned i = t; i < count; i += 128) out[first + i] = tile[i] * weights[i % 16];
}
