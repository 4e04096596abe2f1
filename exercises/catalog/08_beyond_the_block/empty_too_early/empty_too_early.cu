// empty_too_early: tiles stream through a ring of two stages. One thread fills the stages, two warps empty them.
//
// Given   One block of 96 threads. Threads 0 to 63 read, and thread 64 fills. v has 64 ints per tile; *sum is 0. Each
//         stage has two barrier objects: `full` says that its tile has come, `empty` that it may be filled again.
// Range   tiles is from 1 to 9; v has values from -99 to 99.
// Do      *sum is the sum of all tiles. Thread 64 must not fill a stage that a lane has still to read.
//
// Read    lesson07-beyond-the-block/README.md, "A ring of stages"; cargo learn explain race-shared

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

#define TILE 64

// Waits for the phase of this parity. The phase before the first one counts as complete: its parity is 1.
__device__ void wait(uint64_t* bar, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {}
}

extern "C" __global__ void add_up(const int* v, unsigned tiles, int* sum) {
    __shared__ alignas(16) int stage[2][TILE];
    __shared__ uint64_t full[2], empty[2];
    const unsigned t = threadIdx.x;
    if (t < 2) {
        ptx::mbarrier_init(&full[t], 1);
        // Each of the two warps that read says once that it has read.
        ptx::mbarrier_init(&empty[t], 2);
        ptx::fence_proxy_async(space_shared);
    }
    __syncthreads();

    if (t == TILE) {
        for (unsigned k = 0; k < tiles; k++) {
            const unsigned s = k % 2, bytes = TILE * sizeof(int);
            wait(&empty[s], (k / 2 + 1) % 2);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, &full[s], bytes);
            ptx::cp_async_bulk(space_shared, space_global, stage[s], v + k * TILE, bytes, &full[s]);
        }
    } else if (t < TILE) {
        int mine = 0;
        for (unsigned k = 0; k < tiles; k++) {
            const unsigned s = k % 2;
            wait(&full[s], k / 2 % 2);
            mine += stage[s][t];
            // TODO: lane 0 says so for all lanes of its warp. Is it true?
            if (t % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
        }
        atomicAdd(sum, mine);
    }
}
