// Each block counts its values in a whole histogram of its own. Then it adds up its quarter of all four.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4) count(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[128];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x;
    bins[t] = bins[t + 64] = 0;
    __syncthreads();
    for (unsigned i = cluster.thread_rank(); i < n; i += cluster.num_threads()) atomicAdd(&bins[v[i]], 1);
    cluster.sync();
    if (t < 32) {
        const unsigned bin = cluster.block_rank() * 32 + t;
        unsigned sum = 0;
        for (unsigned r = 0; r < 4; r++) sum += cluster.map_shared_rank(bins, r)[bin];
        out[bin] = sum;
    }
    cluster.sync();
}
