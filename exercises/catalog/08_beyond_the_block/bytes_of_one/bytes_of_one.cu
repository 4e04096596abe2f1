// bytes_of_one: two copies bring a tile and a table of 16 weights. All threads wait for one barrier object.
//
// Given    Blocks of 128 threads, each with a tile of 256 ints; the last tile may be shorter. w has 16 ints.
// Range    n is a multiple of 4 from 4 to 600; v has values from -99 to 99; w has values from -9 to
//          9.
// Do       out[i] = v[i] * w[i % 16], whichever copy comes first.
// Problem  The phase is complete when as many bytes have come as it expects. They may come from either copy.
//
// Read     lesson07-beyond-the-block/README.md, "What counts the bytes"; cargo learn explain race-shared

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
        // TODO: for how many bytes must the phase wait?
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, bytes);
        ptx::cp_async_bulk(space_shared, space_global, tile, v + first, bytes, &full);
        ptx::cp_async_bulk(space_shared, space_global, weights, w, sizeof(weights), &full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
    for (unsigned i = t; i < count; i += 128) out[first + i] = tile[i] * weights[i % 16];
}
