// Arch: sm_90
// lesson07/large.cu: a histogram of 65536 bins. They take 256 KiB, more than the 227 KiB of shared memory that a block
// of a GPU of compute capability 9.0 can have.
//
// Idea      Two blocks have room for half of the bins each. Either they form a cluster, and a thread adds to the half
//           that its value belongs to. Or each block reads all values of both, and counts those of its own half. Then
//           every value is read twice, and no addition leaves the block.
// Correct   large_pair: clusters of two blocks.
//           large_halves: no cluster. The second block of a pair mostly finds the values in the L2 cache.
// Contract  1024 threads and 128 KiB of dynamic shared memory a block, an even number of blocks; v has n values below
//           65536, and begins at a multiple of 16 bytes. out has 65536 counts, which start at 0.
// Expect    no findings; out has the number of each value.
// PTX       large_pair: barrier.cluster.wait; mapa; atom|red.add; barrier.cluster.wait; atom|red.global.add
// PTX       large_halves: ld.global.v4; atom|red.shared.add; bar|barrier; atom|red.global.add

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define HALF 32768

__device__ void clear(unsigned* bins) {
    for (unsigned i = threadIdx.x; i < HALF; i += blockDim.x) bins[i] = 0;
}

// Adds the block's bins to those of its half of out.
__device__ void add_to(unsigned* out, const unsigned* bins) {
    for (unsigned i = threadIdx.x; i < HALF; i += blockDim.x) {
        if (bins[i] > 0) atomicAdd(&out[i], bins[i]);
    }
}

__device__ void count(unsigned* bins, unsigned half, unsigned value) {
    if (value / HALF == half) atomicAdd(&bins[value % HALF], 1);
}

extern "C" __global__ void __cluster_dims__(2) large_pair(const unsigned* v, unsigned n, unsigned* out) {
    extern __shared__ unsigned bins[];
    const cg::cluster_group cluster = cg::this_cluster();
    clear(bins);
    cluster.sync();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned* theirs = cluster.map_shared_rank(bins, v[i] / HALF);
        atomicAdd(&theirs[v[i] % HALF], 1);
    }
    cluster.sync();
    add_to(out + cluster.block_rank() * HALF, bins);
}

extern "C" __global__ void large_halves(const unsigned* v, unsigned n, unsigned* out) {
    extern __shared__ unsigned bins[];
    const unsigned half = blockIdx.x % 2;
    clear(bins);
    __syncthreads();
    const unsigned first = blockIdx.x / 2 * blockDim.x + threadIdx.x, step = gridDim.x / 2 * blockDim.x;
    const uint4* fours = reinterpret_cast<const uint4*>(v);
    for (unsigned i = first; i < n / 4; i += step) {
        const uint4 four = fours[i];
        count(bins, half, four.x);
        count(bins, half, four.y);
        count(bins, half, four.z);
        count(bins, half, four.w);
    }
    for (unsigned i = n / 4 * 4 + first; i < n; i += step) count(bins, half, v[i]);
    __syncthreads();
    add_to(out + half * HALF, bins);
}
