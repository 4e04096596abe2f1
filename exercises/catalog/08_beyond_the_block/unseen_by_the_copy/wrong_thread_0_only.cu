// wrong: race-shared
// Only thread 0 passes the fence, and before the barrier: it makes its own writes visible, and no others.

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

extern "C" __global__ void squares(const int* v, unsigned n, int* out) {
    __shared__ alignas(16) int tile[256];
    const unsigned t = threadIdx.x, first = blockIdx.x * 256, count = min(256, n - first);

    for (unsigned i = t; i < count; i += 128) tile[i] = v[first + i] * v[first + i];
    if (t == 0) ptx::fence_proxy_async(space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(space_global, space_shared, out + first, tile, count * sizeof(int));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
