// wrong: race-shared
// Waits for its own block only. The others may not have cleared their bins.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define BLOCKS 4
#define OWN 32

extern "C" __global__ void __cluster_dims__(BLOCKS) count(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[OWN];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x;
    if (t < OWN) bins[t] = 0;
    __syncthreads();
    for (unsigned i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
        unsigned* theirs = cluster.map_shared_rank(bins, v[i] / OWN);
        atomicAdd(&theirs[v[i] % OWN], 1);
    }
    cluster.sync();
    if (t < OWN) out[cluster.block_rank() * OWN + t] = bins[t];
}
