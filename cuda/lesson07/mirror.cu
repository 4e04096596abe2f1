// Arch: sm_90
// lesson07/mirror.cu: a square matrix is transposed in place. The two blocks of a cluster hold a tile and its mirror
// image. Each one stores the other's tile, transposed, where its own has been.
//
// Idea      A tile in another block's shared memory may be read only between two moments: after that block has written
//           it, and before that block ends. The cluster's barrier gives both.
// Broken    mirror_broken: a barrier of the block where one of the cluster is needed.
//           mirror_late: it arrives at the cluster's barrier, and waits only after the reads.
//           mirror_ended: no barrier after the reads, so the block may end while the other one reads its tile.
// Correct   cluster.sync() between writes and reads, and again after the reads.
//           mirror_split: the second barrier in two halves, with the stores between them.
// Contract  blocks of 32 x 8 threads, clusters of two blocks; a grid of 2 x T x T blocks, where T tiles of 32 x 32 cover
//           a side. m has side * side ints.
// Expect    broken, late: race-shared, and out-of-bounds. ended: out-of-bounds. correct, split: no findings; m is
//           transposed.
// PTX       mirror_broken: st.shared; not barrier.cluster.arrive; bar|barrier.sync; ld; barrier.cluster.wait
// PTX       mirror_late: st.shared; barrier.cluster.arrive; not barrier.cluster.wait; ld; barrier.cluster.wait
// PTX       mirror_ended: st.shared; barrier.cluster.wait; ld; not barrier.cluster.wait; st.global
// PTX       mirror_correct: barrier.cluster.wait; ld; barrier.cluster.wait; st.global
// PTX       mirror_split: barrier.cluster.wait; ld; barrier.cluster.arrive; st.global; barrier.cluster.wait

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define TILE 32
#define STEP 8

// One column more than a tile has, so that a warp that reads a column finds each element in another bank.
typedef int Row[TILE + 1];

// The first row and the first column of the block's tile.
struct Place {
    unsigned row, column;
};

// Block 0 of a cluster has a tile on the diagonal or above it, block 1 the tile's mirror image.
__device__ Place place() {
    const unsigned y = blockIdx.y * TILE, z = blockIdx.z * TILE;
    return blockIdx.x % 2 == 0 ? Place{y, z} : Place{z, y};
}

// A cluster below the diagonal has nothing to do: both of its tiles are those of another one.
__device__ bool is_below() {
    return blockIdx.y > blockIdx.z;
}

__device__ void load(Row* tile, const int* m, unsigned side, Place at) {
    const unsigned column = at.column + threadIdx.x;
    for (unsigned i = threadIdx.y; i < TILE; i += STEP) {
        if (at.row + i < side && column < side) tile[i][threadIdx.x] = m[(at.row + i) * side + column];
    }
}

// Stores this thread's elements of the transposed tile.
__device__ void store(const int* own, int* m, unsigned side, Place at) {
    // On the diagonal both blocks have the same tile, and the first one stores it.
    if (blockIdx.y == blockIdx.z && blockIdx.x % 2 == 1) return;
    const unsigned column = at.column + threadIdx.x;
    for (unsigned i = 0; i < TILE / STEP; i++) {
        const unsigned row = at.row + threadIdx.y + i * STEP;
        if (row < side && column < side) m[row * side + column] = own[i];
    }
}

extern "C" __global__ void __cluster_dims__(2) mirror_broken(int* m, unsigned side) {
    __shared__ Row tile[TILE];
    if (is_below()) return;
    const cg::cluster_group cluster = cg::this_cluster();
    const Row* theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    load(tile, m, side, place());
    __syncthreads();
    int own[TILE / STEP];
    for (unsigned i = 0; i < TILE / STEP; i++) {
        // BUG: this block's tile is whole, but the other one's may not be.
        own[i] = theirs[threadIdx.x][threadIdx.y + i * STEP];
    }
    cluster.sync();
    store(own, m, side, place());
}

extern "C" __global__ void __cluster_dims__(2) mirror_late(int* m, unsigned side) {
    __shared__ Row tile[TILE];
    if (is_below()) return;
    const cg::cluster_group cluster = cg::this_cluster();
    const Row* theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    load(tile, m, side, place());
    cluster.barrier_arrive();
    int own[TILE / STEP];
    for (unsigned i = 0; i < TILE / STEP; i++) {
        // BUG: the other block is only waited for below.
        own[i] = theirs[threadIdx.x][threadIdx.y + i * STEP];
    }
    cluster.barrier_wait();
    store(own, m, side, place());
}

extern "C" __global__ void __cluster_dims__(2) mirror_ended(int* m, unsigned side) {
    __shared__ Row tile[TILE];
    if (is_below()) return;
    const cg::cluster_group cluster = cg::this_cluster();
    const Row* theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    load(tile, m, side, place());
    cluster.sync();
    int own[TILE / STEP];
    for (unsigned i = 0; i < TILE / STEP; i++) {
        // BUG: the other block may have stored its part and ended.
        own[i] = theirs[threadIdx.x][threadIdx.y + i * STEP];
    }
    store(own, m, side, place());
}

extern "C" __global__ void __cluster_dims__(2) mirror_correct(int* m, unsigned side) {
    __shared__ Row tile[TILE];
    if (is_below()) return;
    const cg::cluster_group cluster = cg::this_cluster();
    const Row* theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    load(tile, m, side, place());
    cluster.sync(); // FIX: both tiles are whole.
    int own[TILE / STEP];
    for (unsigned i = 0; i < TILE / STEP; i++) {
        own[i] = theirs[threadIdx.x][threadIdx.y + i * STEP];
    }
    cluster.sync(); // FIX: both tiles have been read.
    store(own, m, side, place());
}

extern "C" __global__ void __cluster_dims__(2) mirror_split(int* m, unsigned side) {
    __shared__ Row tile[TILE];
    if (is_below()) return;
    const cg::cluster_group cluster = cg::this_cluster();
    const Row* theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    load(tile, m, side, place());
    cluster.sync();
    int own[TILE / STEP];
    for (unsigned i = 0; i < TILE / STEP; i++) {
        own[i] = theirs[threadIdx.x][threadIdx.y + i * STEP];
    }
    cluster.barrier_arrive(); // This block has read the other one's tile.
    store(own, m, side, place());
    cluster.barrier_wait(); // FIX: the other block has read this one's tile.
}
