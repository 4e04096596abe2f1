// Arch: sm_80
// headers/barrier_objects.cu: `cuda::barrier` and `cuda::pipeline` of libcu++: barrier objects in shared memory (`mbarrier`).
//
// run: kernel=exchange block=128 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=rounds block=64 n:s32=5 in:s32=[i] out:s32 => out=[63-i]
// run: kernel=copied block=128 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=produced block=64 n:s32=6 in:s32[192]=[i] out:s32[192] => out=[2*i]
// run: kernel=dropped block=96 in:s32=[i] out:s32[64] => out=[63-i]
// run: kernel=primitives block=64 in:s32=[i] out:s32 => out=[63-i]
// run: kernel=own_pipeline block=128 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=shared_pipeline block=64 n:s32=4 in:s32[256]=[i] out:s32 => out=[4*(63-i) + 64*(0+1+2+3)]
// run: kernel=not_waited_for block=128 in:s32=[i] out:s32 => finding=race-shared
// run: kernel=released_late block=64 n:s32=6 in:s32[192]=[i] out:s32[192] => finding=race-shared
// run: kernel=not_initialised block=64 in:s32=[i] out:s32 => fault=illegal-instruction finding=undefined-value
// run: kernel=too_few_expected block=64 in:s32=[i] out:s32 => fault=illegal-instruction finding=barrier-divergence
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// The destructor of a barrier in shared memory does not run: nvcc warns of that where there is one.
#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void exchange(const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int tile[128];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait();
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

// Work of a thread's own between arrival and wait, over several phases.
extern "C" __global__ void rounds(int n, const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int tile[2][64];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    int mine = in[threadIdx.x];
    for (int round = 0; round < n; round++) {
        tile[round % 2][threadIdx.x] = mine;
        Barrier::arrival_token token = ready.arrive();
        const int from = 63 - threadIdx.x;
        ready.wait(std::move(token));
        mine = tile[round % 2][from];
    }
    out[threadIdx.x] = mine;
}

// The barrier's phase waits for the copies as well.
extern "C" __global__ void copied(const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int tile[128];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), ready);
    ready.arrive_and_wait();
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

// Warp 0 produces and warp 1 consumes, through one buffer: `full` says that it may be read, `empty` that it may be filled.
template <bool WAITS> __device__ void pass_on(int n, const int* in, int* out) {
    __shared__ Barrier full, empty;
    __shared__ int buffer[32];
    if (threadIdx.x == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; i++) {
            if (i > 0 && WAITS) empty.arrive_and_wait();
            buffer[lane] = 2 * in[32 * i + lane];
            if (i > 0 && !WAITS) empty.arrive_and_wait(); // Too late: the buffer has been filled already.
            (void)full.arrive();
        }
    } else {
        for (int i = 0; i < n; i++) {
            full.arrive_and_wait();
            out[32 * i + lane] = buffer[31 - lane] + 2 * (2 * lane - 31);
            if (i + 1 < n) (void)empty.arrive();
        }
    }
}

extern "C" __global__ void produced(int n, const int* in, int* out) { pass_on<true>(n, in, out); }

extern "C" __global__ void released_late(int n, const int* in, int* out) { pass_on<false>(n, in, out); }

// A warp that drops out is not expected in the next phase.
extern "C" __global__ void dropped(const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int tile[64];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= 64) {
        ready.arrive_and_drop();
        return;
    }
    ready.arrive_and_wait();
    tile[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

extern "C" __global__ void primitives(const int* in, int* out) {
    __shared__ __mbarrier_t ready;
    __shared__ int tile[64];
    if (threadIdx.x == 0) __mbarrier_init(&ready, blockDim.x);
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    __mbarrier_token_t token = __mbarrier_arrive(&ready);
    while (!__mbarrier_test_wait(&ready, token)) {
    }
    out[threadIdx.x] = tile[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) __mbarrier_inval(&ready);
}

extern "C" __global__ void own_pipeline(const int* in, int* out) {
    __shared__ int tile[128];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x];
    pipe.consumer_release();
}

extern "C" __global__ void shared_pipeline(int n, const int* in, int* out) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[i % 2], in + 64 * i, cuda::aligned_size_t<4>(sizeof(tile[0])), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += tile[i % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// An arrival alone orders nothing for the thread that makes it.
extern "C" __global__ void not_waited_for(const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int tile[128];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    (void)ready.arrive();
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

extern "C" __global__ void not_initialised(const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

extern "C" __global__ void too_few_expected(const int* in, int* out) {
    __shared__ Barrier ready;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        init(&ready, 1);
        sum = in[0];
    }
    __syncthreads();
    (void)ready.arrive(2);
    out[threadIdx.x] = sum;
}
