// Arch: sm_90
// lesson07/bins.cu: a histogram of 16384 bins, 64 KiB, in the shared memory of four blocks of a cluster. Each block
// holds a quarter of the bins, and all of them add to all quarters.
//
// Idea      The shared memory of the blocks of a cluster is one address space. Who accesses that of another block needs
//           the cluster's barrier: __syncthreads() is a barrier of one block only.
// Broken    bins_broken: no barrier of the cluster before the first addition. Another block may not have cleared its
//           bins, or may not have started.
//           bins_early: none after the last addition. A block reads its bins while others still add to them, and it may
//           end while they do.
// Correct   cluster.sync() after the bins are cleared, and again after the last addition.
// Contract  256 threads a block, clusters of four blocks, any number of them; v has n values below 16384. out has 16384
//           counts, which start at 0.
// Expect    broken, early: race-shared, and out-of-bounds. correct: no findings; out has the number of each value.
// PTX       bins_broken: st.shared; not barrier.cluster.wait; mapa; atom|red.add; barrier.cluster.wait; atom|red.global.add
// PTX       bins_early: st.shared; barrier.cluster.wait; mapa; atom|red.add; not barrier.cluster.wait; atom|red.global.add
// PTX       bins_correct: st.shared; barrier.cluster.wait; mapa; atom|red.add; barrier.cluster.wait; atom|red.global.add

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define BLOCKS 4
#define BINS 16384
#define QUARTER (BINS / BLOCKS)

__device__ void clear(unsigned* bins) {
    for (unsigned i = threadIdx.x; i < QUARTER; i += blockDim.x) bins[i] = 0;
}

extern "C" __global__ void __cluster_dims__(BLOCKS) bins_broken(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[QUARTER];
    const cg::cluster_group cluster = cg::this_cluster();
    unsigned* quarter = out + cluster.block_rank() * QUARTER;
    clear(bins);
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned* theirs = cluster.map_shared_rank(bins, v[i] / QUARTER);
        // BUG: this block has cleared its bins, but the others may not have.
        atomicAdd(&theirs[v[i] % QUARTER], 1);
    }
    cluster.sync();
    for (unsigned i = threadIdx.x; i < QUARTER; i += blockDim.x) {
        if (bins[i] > 0) atomicAdd(&quarter[i], bins[i]);
    }
}

extern "C" __global__ void __cluster_dims__(BLOCKS) bins_early(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[QUARTER];
    const cg::cluster_group cluster = cg::this_cluster();
    unsigned* quarter = out + cluster.block_rank() * QUARTER;
    clear(bins);
    cluster.sync();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned* theirs = cluster.map_shared_rank(bins, v[i] / QUARTER);
        atomicAdd(&theirs[v[i] % QUARTER], 1);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < QUARTER; i += blockDim.x) {
        // BUG: this block has added all its values, but the others may not have.
        if (bins[i] > 0) atomicAdd(&quarter[i], bins[i]);
    }
}

extern "C" __global__ void __cluster_dims__(BLOCKS) bins_correct(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[QUARTER];
    const cg::cluster_group cluster = cg::this_cluster();
    unsigned* quarter = out + cluster.block_rank() * QUARTER;
    clear(bins);
    cluster.sync(); // FIX: all blocks have started and have cleared their bins.
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned* theirs = cluster.map_shared_rank(bins, v[i] / QUARTER);
        atomicAdd(&theirs[v[i] % QUARTER], 1);
    }
    cluster.sync(); // FIX: all blocks have added their values.
    for (unsigned i = threadIdx.x; i < QUARTER; i += blockDim.x) {
        if (bins[i] > 0) atomicAdd(&quarter[i], bins[i]);
    }
}
