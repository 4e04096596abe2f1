// Arch: sm_90
// lesson07/tile_large.cu: the products of tile.cu, in tiles of 4 KiB, of which each block takes one.
//
// Idea      While one block waits for its copies, the other blocks of the multiprocessor compute. So a grid of many
//           blocks needs no ring. A larger tile means fewer copies and fewer waits for the same bytes.
// Correct   tile_large: as tile_correct, but for the size of the tile. Nobody fills it again.
// Contract  128 threads a block, a block for each 1024 elements; v, w and out have n ints, and v and w are rounded up to
//           a multiple of 4. Each piece of 256 products comes out in reverse.
// Expect    no findings; out has the products.
// PTX       tile_large: mbarrier.init; mbarrier.arrive.expect_tx; cp.async.bulk; mbarrier.try_wait; st.global

#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
using ptx::space_global, ptx::space_shared;

#define TILE 1024
#define PIECE 256

extern "C" __global__ void tile_large(const int* v, const int* w, int* out, unsigned n) {
    __shared__ alignas(16) int a[TILE];
    __shared__ alignas(16) int b[TILE];
    __shared__ uint64_t full;
    const unsigned first = blockIdx.x * TILE;
    if (first >= n) return;
    const unsigned count = min(TILE, n - first), bytes = (count + 3) / 4 * 16;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, 2 * bytes);
        ptx::cp_async_bulk(space_shared, space_global, a, v + first, bytes, &full);
        ptx::cp_async_bulk(space_shared, space_global, b, w + first, bytes, &full);
    }
    __syncthreads(); // The barrier object is there.
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        const unsigned piece = i / PIECE * PIECE, last = min(piece + PIECE, count) - 1;
        const unsigned from = piece + last - i;
        out[first + i] = a[from] * b[from];
    }
}
