// started_not_there: one thread starts a copy of a whole tile into shared memory, and all threads read it in reverse.
//
// Given    One block of 128 threads; v and out have n ints. A bulk copy moves units of 16 bytes, which are 4 ints. It
//          tells the barrier object `full` how many bytes it has brought.
// Range    n is a multiple of 4 from 4 to 512; v has values from -99 to 99.
// Do       out[i] = v[n - 1 - i], whenever the copy arrives.
// Problem  There is a barrier between the copy and the reads. Does it wait for the copy?
//
// Read     lesson07-beyond-the-block/README.md, "A bug: a barrier that does not wait for the copy"

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

extern "C" __global__ void turn_round(const int* v, unsigned n, int* out) {
    __shared__ alignas(16) int tile[512];
    __shared__ uint64_t full;
    const unsigned t = threadIdx.x, bytes = n * sizeof(int);

    if (t == 0) {
        // A phase of `full` is complete when one thread has arrived, and all bytes that this thread expects.
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full, bytes);
        ptx::cp_async_bulk(space_shared, space_global, tile, v, bytes, &full);
    }
    __syncthreads();
    // TODO: all threads are here. The bytes may still be on their way.
    for (unsigned i = t; i < n; i += 128) out[i] = tile[n - 1 - i];
}
