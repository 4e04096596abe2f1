// nvcc -arch=sm_90 -lineinfo
// Cooperative groups: tiles, coalesced threads, grids, clusters; every `.loc` says what it was inlined from.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sum(const int* in, int* out, int n) {
    auto grid = cg::this_grid();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int mine = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
    mine = cg::reduce(warp, mine, cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(out, mine);
    grid.sync();
    if (mine > 3) {
        auto some = cg::coalesced_threads();
        if (some.thread_rank() == 0) atomicAdd(out + 1, some.size());
    }
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128, 2) cluster(int* out) {
    extern __shared__ int partial[];
    auto cluster = cg::this_cluster();
    partial[threadIdx.x] = out[threadIdx.x];
    cluster.sync();
    out[threadIdx.x] = *cluster.map_shared_rank(&partial[threadIdx.x], 1 - cluster.block_rank());
    cluster.sync();
}
