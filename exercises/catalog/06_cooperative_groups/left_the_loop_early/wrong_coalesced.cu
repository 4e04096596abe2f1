// wrong: race-shared
// "Then the threads that are here shall wait for each other." A coalesced group ends at the warp.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    int sum = 0;
    for (int i = rank; i < n; i += 64) {
        cg::coalesced_group here = cg::coalesced_threads();
        tile[rank] = v[i];
        sum += v[i];
        here.sync();
        out[i] = i - rank + 64 <= n ? tile[63 - rank] : tile[rank];
        here.sync();
    }
    block.sync();
    tile[rank] = sum;
    block.sync();
    pairs[rank] = sum + tile[63 - rank];
}
