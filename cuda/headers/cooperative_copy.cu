// Arch: sm_80
// headers/cooperative_copy.cu: copies from global to shared memory that a group starts and waits for (`cp.async`).
//
// run: kernel=whole block=128 shared=512 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=aligned block=128 shared=512 in:s32=[i] out:s32 => out=[127-i]
// run: kernel=two_stages block=64 shared=512 in:s32[128]=[i] out:s32[128] => out=[i<64?63-i:191-i]
// run: kernel=by_thread block=64 in:s32=[i] out:s32 => out=[63-i]
// run: kernel=by_warp block=64 in:s32=[i] out:s32 => out=[i/32*32+31-i%32]
// run: kernel=few block=64 n:s32=21 in:s32=[i] out:s32 => out=[i%32<21?i/32*32+20-i%32:-1]
// run: kernel=pipeline block=64 rounds:s32=5 in:s32[320]=[i] out:s32 => out=[63*5-5*i+640]
// run: kernel=padded block=64 n:s32=50 in:s32[50]=[i+1] out:s32[64] => out=[63-i<50?64-i:0]
// run: kernel=not_waited_for block=128 shared=512 in:s32=[i] out:s32 => finding=race-shared
// run: kernel=too_many_left block=64 shared=512 in:s32[128]=[i] out:s32[128] => finding=race-shared
// run: kernel=no_barrier block=64 in:s32=[i] out:s32 => finding=race-shared
// run: kernel=pipeline_overrun block=64 rounds:s32=5 in:s32[320]=[i] out:s32 => finding=race-shared
// run: kernel=too_far block=128 shared=508 in:s32=[i] out:s32 => fault=illegal-address finding=out-of-bounds
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

extern "C" __global__ void whole(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * block.size());
    cg::wait(block);
    out[threadIdx.x] = tile[block.size() - 1 - threadIdx.x];
}

extern "C" __global__ void aligned(const int* in, int* out) {
    extern __shared__ int4 quads[];
    const int* tile = reinterpret_cast<const int*>(quads);
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, quads, reinterpret_cast<const int4*>(in), sizeof(int) * 128);
    cg::wait(block);
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

// The second copy may stay under way while the first is used.
extern "C" __global__ void two_stages(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * 64);
    cg::memcpy_async(block, tile + 64, in + 64, sizeof(int) * 64);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = tile[63 - threadIdx.x];
    cg::wait(block);
    out[64 + threadIdx.x] = tile[127 - threadIdx.x];
}

extern "C" __global__ void by_thread(const int* in, int* out) {
    __shared__ int tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

extern "C" __global__ void by_warp(const int* in, int* out) {
    __shared__ int tile[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned first = threadIdx.x - warp.thread_rank();
    cg::memcpy_async(warp, tile + first, in + first, sizeof(int) * 32);
    cg::wait(warp);
    out[threadIdx.x] = tile[first + 31 - warp.thread_rank()];
}

// Fewer elements than threads: the header lets the lanes that are left over repeat the last copy.
extern "C" __global__ void few(int n, const int* in, int* out) {
    __shared__ int tile[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned first = threadIdx.x - warp.thread_rank();
    cg::memcpy_async(warp, tile + first, in + first, sizeof(int) * n);
    cg::wait(warp);
    const int rank = warp.thread_rank();
    out[threadIdx.x] = rank < n ? tile[first + n - 1 - rank] : -1;
}

// Two stages in turn: one is filled while the other is used.
template <bool WAITS> __device__ void pipelined(int rounds, const int* in, int* out) {
    __shared__ int stage[2][64];
    cg::thread_block block = cg::this_thread_block();
    int sum = 0;
    cg::memcpy_async(block, stage[0], in, sizeof(stage[0]));
    for (int round = 0; round < rounds; round++) {
        const int* next = in + 64 * min(round + 1, rounds - 1);
        cg::memcpy_async(block, stage[(round + 1) % 2], next, sizeof(stage[0]));
        cg::wait_prior<1>(block);
        sum += stage[round % 2][63 - threadIdx.x];
        if (WAITS) block.sync(); // Without it the next copy overruns those who still read.
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void pipeline(int rounds, const int* in, int* out) { pipelined<true>(rounds, in, out); }

extern "C" __global__ void pipeline_overrun(int rounds, const int* in, int* out) { pipelined<false>(rounds, in, out); }

// What lies past the end counts as zero, and is not read.
extern "C" __global__ void padded(int n, const int* in, int* out) {
    __shared__ int tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), (int)threadIdx.x < n ? 0 : sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// A barrier of the block does not wait for copies.
extern "C" __global__ void not_waited_for(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * block.size());
    block.sync();
    out[threadIdx.x] = tile[block.size() - 1 - threadIdx.x];
}

extern "C" __global__ void too_many_left(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * 64);
    cg::memcpy_async(block, tile + 64, in + 64, sizeof(int) * 64);
    cg::wait_prior<1>(block);
    out[64 + threadIdx.x] = tile[127 - threadIdx.x];
    cg::wait(block);
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// Each thread waits for its own copies only.
extern "C" __global__ void no_barrier(const int* in, int* out) {
    __shared__ int tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// The launch gives one int too few.
extern "C" __global__ void too_far(const int* in, int* out) {
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * 128);
    cg::wait(block);
    out[threadIdx.x] = tile[127 - threadIdx.x];
}
