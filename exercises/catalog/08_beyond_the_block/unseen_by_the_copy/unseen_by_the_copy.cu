// unseen_by_the_copy: threads write squares into a tile, and one thread stores the tile by a bulk copy.
//
// Given   Blocks of 128 threads, each with a tile of 256 ints; the last tile may be shorter. v and out have n ints.
// Range   n is a multiple of 4 from 4 to 600; v has values from -99 to 99.
// Do      out[i] = v[i] * v[i]. Choose a fence between the writes and the barrier: __threadfence_block(),
//         __threadfence(), __threadfence_system() or ptx::fence_proxy_async(space_shared). The copy accesses memory by
//         the asynchronous proxy, which is another path than that of loads and stores.
// Note    The emulated GPU shows no wrong result: it has one memory. It asks for the right fence all the same.
//
// Read    lesson07-beyond-the-block/README.md, "The asynchronous proxy"; cargo learn explain race-shared

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

extern "C" __global__ void squares(const int* v, unsigned n, int* out) {
    __shared__ alignas(16) int tile[256];
    const unsigned t = threadIdx.x, first = blockIdx.x * 256, count = min(256, n - first);

    for (unsigned i = t; i < count; i += 128) tile[i] = v[first + i] * v[first + i];
    // TODO: choose the fence that makes these writes visible to the copy.
    __threadfence_block();
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(space_global, space_shared, out + first, tile, count * sizeof(int));
        ptx::cp_async_bulk_commit_group();
        // The copy must have read the tile before the block ends, since shared memory ends with it.
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
