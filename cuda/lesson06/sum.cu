// lesson06/sum.cu: the sum of a long vector: each thread adds its share, the block adds up, one atomic per block.
//
// Idea      The size of `extern __shared__` memory is not in the kernel: each launch gives it, in bytes.
// Broken    sum_kernel_block_bytes: the launch gives one byte per thread, and the kernel uses one int.
// Correct   sum_kernel_block, with four bytes per thread. sum_unified: the same kernel on unified memory.
// Ladder    sum_kernel_block: a tree over the block in shared memory. sum_kernel_tile: no shared memory; each warp adds up
//           by shuffles, one atomic per warp. sum_kernel_reduce: cg::reduce() over the warp, then over the warps' sums.
// Contract  blocks of 256 threads, any number; v has n ints and begins at a multiple of 16 bytes; *sum starts at 0;
//           4 * blockDim.x bytes of dynamic shared memory for all but tile and reduce. n <= 2^30. Sums wrap.
// Expect    sum_kernel_block_bytes: out-of-bounds, in shared memory. all others: no findings, the exact sum.
// PTX       sum_kernel_block_bytes: ld.global.v4; st.shared; bar|barrier; ld.shared; atom|red.global.add
// PTX       sum_kernel_block: ld.global.v4; st.shared; bar|barrier; ld.shared; atom|red.global.add
// PTX       sum_kernel_tile: ld.global.v4; shfl.sync; atom|red.global.add; never bar.sync
// PTX       sum_kernel_reduce: ld.global.v4; shfl.sync; bar|barrier; atom|red.global.add
// PTX       sum_unified: ld.global.v4; st.shared; bar|barrier; ld.shared; atom|red.global.add

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

#define BLOCK 256

// One thread's sum: four ints at a time. The first threads of the grid add the n % 4 ints that are left.
__device__ int thread_sum(const int* v, unsigned n) {
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
    const int4* fours = reinterpret_cast<const int4*>(v);
    int sum = 0;
    for (unsigned i = first; i < n / 4; i += gridDim.x * blockDim.x) {
        const int4 four = fours[i];
        sum += four.x + four.y + four.z + four.w;
    }
    if (first < n % 4) sum += v[n / 4 * 4 + first];
    return sum;
}

__device__ int reduce_sum(const cg::thread_group& group, int* temp, int val) {
    const unsigned rank = group.thread_rank();
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        temp[rank] = val;
        group.sync();
        if (rank < half) val += temp[rank + half];
        group.sync();
    }
    return val;
}

__device__ void block_sum(int* sum, const int* v, unsigned n, int* temp) {
    cg::thread_block block = cg::this_thread_block();
    const int own = reduce_sum(block, temp, thread_sum(v, n));
    if (block.thread_rank() == 0) atomicAdd(sum, own);
}

extern "C" __global__ void sum_kernel_block_bytes(int* sum, const int* v, unsigned n) {
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    int own = thread_sum(v, n);
    for (unsigned half = block.size() / 2; half > 0; half /= 2) {
        // BUG: temp has one byte per thread, not one int.
        temp[rank] = own;
        block.sync();
        if (rank < half) own += temp[rank + half];
        block.sync();
    }
    if (rank == 0) atomicAdd(sum, own);
}

extern "C" __global__ void sum_kernel_block(int* sum, const int* v, unsigned n) {
    extern __shared__ int temp[]; // FIX: the launch gives blockDim.x * sizeof(int) bytes.
    block_sum(sum, v, n, temp);
}

extern "C" __global__ void sum_unified(int* sum, const int* v, unsigned n) {
    extern __shared__ int temp[];
    block_sum(sum, v, n, temp);
}

extern "C" __global__ void sum_kernel_tile(int* sum, const int* v, unsigned n) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int own = thread_sum(v, n);
    for (int offset = warp.size() / 2; offset > 0; offset /= 2) own += warp.shfl_down(own, offset);
    if (warp.thread_rank() == 0) atomicAdd(sum, own);
}

extern "C" __global__ void sum_kernel_reduce(int* sum, const int* v, unsigned n) {
    __shared__ int partial[BLOCK / 32];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int own = cg::reduce(warp, thread_sum(v, n), cg::plus<int>());
    if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = own;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        auto few = cg::tiled_partition<BLOCK / 32>(warp);
        const int all = cg::reduce(few, partial[few.thread_rank()], cg::plus<int>());
        if (warp.thread_rank() == 0) atomicAdd(sum, all);
    }
}
