// Arch: sm_90
// lesson07/ring.cu: a long array streams through a ring of stages in shared memory, and each block adds up its tiles.
// One thread fills the stages by bulk copies, four warps empty them.
//
// Idea      Each stage has two barrier objects. `full` says that its tile has come, `empty` that all warps have read
//           it. So copies run ahead by as many tiles as there are stages.
// Broken    Lane 0 says that its warp has read, but the other lanes may still read.
// Correct   A __syncwarp() before lane 0 says so.
// Ladder    four: four stages in place of two.
// Contract  160 threads a block: four warps that read, and one whose first thread fills the stages. Any number of
//           blocks; v has as many tiles of 128 ints as `tiles` says, and a block takes every gridDim.x-th of them. out
//           has one int per block, which starts at 0.
// Expect    broken: race-shared, and livelock if a lane comes two phases late. correct, four: no findings; out has
//           the sum of each block's tiles.
// PTX       ring_broken: mbarrier.try_wait; ld.shared; not bar.warp.sync; mbarrier.arrive; atom|red.global.add
// PTX       ring_correct: mbarrier.try_wait; ld.shared; bar.warp.sync; mbarrier.arrive; atom|red.global.add
// PTX       ring_four: mbarrier.try_wait; ld.shared; bar.warp.sync; mbarrier.arrive; atom|red.global.add

#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
using ptx::space_global, ptx::space_shared;

#define TILE 128
#define READERS 128

template <unsigned STAGES>
struct Ring {
    alignas(16) int tiles[STAGES][TILE];
    uint64_t full[STAGES];
    uint64_t empty[STAGES];
};

// A phase of `full` is complete when its bytes have come; one of `empty`, when each warp has said that it has read.
template <unsigned STAGES>
__device__ void init(Ring<STAGES>& ring) {
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            ptx::mbarrier_init(&ring.full[s], 1);
            ptx::mbarrier_init(&ring.empty[s], READERS / 32);
        }
        ptx::fence_proxy_async(space_shared); // Bulk copies see them as well.
    }
    __syncthreads();
}

// Waits until the phase of this parity is complete. The phase before the first one counts as complete: its parity is 1.
__device__ void wait(uint64_t* barrier, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {}
}

// Fills stage after stage, each one when it is empty.
template <unsigned STAGES>
__device__ void fill(Ring<STAGES>& ring, const int* v, unsigned tiles) {
    unsigned k = 0;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, k++) {
        const unsigned s = k % STAGES, round = k / STAGES, bytes = TILE * sizeof(int);
        wait(&ring.empty[s], (round + 1) % 2);
        uint64_t* full = &ring.full[s];
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, full, bytes);
        const int* from = v + tile * TILE;
        ptx::cp_async_bulk(space_shared, space_global, ring.tiles[s], from, bytes, full);
    }
}

extern "C" __global__ void ring_broken(const int* v, unsigned tiles, int* out) {
    __shared__ Ring<2> ring;
    init(ring);
    if (threadIdx.x == READERS) fill(ring, v, tiles);
    if (threadIdx.x >= READERS) return;
    int own = 0;
    unsigned k = 0;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, k++) {
        const unsigned s = k % 2, round = k / 2;
        wait(&ring.full[s], round % 2);
        // BUG: lane 0 may say that the warp has read before the other lanes have.
        own += ring.tiles[s][threadIdx.x];
        if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[s]);
    }
    atomicAdd(&out[blockIdx.x], own);
}

extern "C" __global__ void ring_correct(const int* v, unsigned tiles, int* out) {
    __shared__ Ring<2> ring;
    init(ring);
    if (threadIdx.x == READERS) fill(ring, v, tiles);
    if (threadIdx.x >= READERS) return;
    int own = 0;
    unsigned k = 0;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, k++) {
        const unsigned s = k % 2, round = k / 2;
        wait(&ring.full[s], round % 2);
        own += ring.tiles[s][threadIdx.x];
        __syncwarp(); // FIX: all lanes have read.
        if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[s]);
    }
    atomicAdd(&out[blockIdx.x], own);
}

extern "C" __global__ void ring_four(const int* v, unsigned tiles, int* out) {
    __shared__ Ring<4> ring;
    init(ring);
    if (threadIdx.x == READERS) fill(ring, v, tiles);
    if (threadIdx.x >= READERS) return;
    int own = 0;
    unsigned k = 0;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, k++) {
        const unsigned s = k % 4, round = k / 4;
        wait(&ring.full[s], round % 2);
        own += ring.tiles[s][threadIdx.x];
        __syncwarp();
        if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[s]);
    }
    atomicAdd(&out[blockIdx.x], own);
}
