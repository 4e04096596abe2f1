// bins_of_a_cluster: a histogram of 128 bins in the shared memory of four blocks, 32 bins in each.
//
// Given   One cluster of 4 blocks, each of 64 threads. v has n values below 128. Block 0 holds bins 0 to 31, block 1
//         the next 32, and so on. At the end each block stores its own bins.
// Range   n is from 1 to 600; v has values from 0 to 127.
// Do      out[b] is the number of values b. All threads of the cluster take part: thread `cluster.thread_rank()` of
//         `cluster.num_threads()`. cluster.map_shared_rank(bins, r) is the address of `bins` in block r.
// Budget  No atomic in global memory.
//
// Read    lesson07-beyond-the-block/README.md, "Blocks that share their shared memory" and the section after it

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define BLOCKS 4
#define OWN 32

extern "C" __global__ void __cluster_dims__(BLOCKS) count(const unsigned* v, unsigned n, unsigned* out) {
    __shared__ unsigned bins[OWN];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x;
    if (t < OWN) bins[t] = 0;

    // TODO: add all values to their bins. When may a block access those of another one? When may it store its own?

    if (t < OWN) out[cluster.block_rank() * OWN + t] = bins[t];
}
