// Arch: sm_90
// lesson07/bins_fast.cu: the histogram of bins.cu, in fewer blocks of more threads.
//
// Idea      An addition to the shared memory of another block takes a GPU much longer than one to the block's own. So a
//           cluster should be no larger than the bins need.
// Correct   bins_two: clusters of two blocks, each with half of the bins.
//           bins_alone: no cluster. A block may have more than 48 KiB of shared memory if its launch asks for it: on
//           Hopper 227 KiB. All bins fit.
// Contract  1024 threads a block, any number of blocks, for bins_two an even one; v has n values below 16384, and begins
//           at a multiple of 16 bytes. out has 16384 counts, which start at 0. bins_alone is launched with 64 KiB of
//           shared memory.
// Expect    no findings; out has the number of each value.
// PTX       bins_two: barrier.cluster.wait; mapa; atom|red.add; barrier.cluster.wait; atom|red.global.add
// PTX       bins_alone: ld.global.v4; atom|red.shared.add; bar|barrier; atom|red.global.add

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define BINS 16384
#define HALF (BINS / 2)

__device__ void clear(unsigned* bins, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) bins[i] = 0;
}

__device__ void add_to(unsigned* out, const unsigned* bins, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        if (bins[i] > 0) atomicAdd(&out[i], bins[i]);
    }
}

extern "C" __global__ void __cluster_dims__(2) bins_two(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[HALF];
    const cg::cluster_group cluster = cg::this_cluster();
    clear(bins, HALF);
    cluster.sync();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned* theirs = cluster.map_shared_rank(bins, v[i] / HALF);
        atomicAdd(&theirs[v[i] % HALF], 1);
    }
    cluster.sync();
    add_to(out + cluster.block_rank() * HALF, bins, HALF);
}

extern "C" __global__ void bins_alone(const unsigned* v, unsigned n, unsigned* out) {
    extern __shared__ unsigned bins[];
    clear(bins, BINS);
    __syncthreads();
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    const uint4* fours = reinterpret_cast<const uint4*>(v);
    for (unsigned i = first; i < n / 4; i += step) {
        const uint4 four = fours[i];
        atomicAdd(&bins[four.x], 1);
        atomicAdd(&bins[four.y], 1);
        atomicAdd(&bins[four.z], 1);
        atomicAdd(&bins[four.w], 1);
    }
    for (unsigned i = n / 4 * 4 + first; i < n; i += step) atomicAdd(&bins[v[i]], 1);
    __syncthreads();
    add_to(out, bins, BINS);
}
