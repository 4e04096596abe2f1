// The barrier of the warp waits until all its lanes have read. Then lane 0 says so.

#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::space_global;
using ptx::space_shared;

#define TILE 64

__device__ void wait(uint64_t* bar, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {}
}

extern "C" __global__ void add_up(const int* v, unsigned tiles, int* sum) {
    __shared__ alignas(16) int stage[2][TILE];
    __shared__ uint64_t full[2], empty[2];
    const unsigned t = threadIdx.x;
    if (t < 2) {
        ptx::mbarrier_init(&full[t], 1);
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
            __syncwarp();
            if (t % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
        }
        atomicAdd(sum, mine);
    }
}
