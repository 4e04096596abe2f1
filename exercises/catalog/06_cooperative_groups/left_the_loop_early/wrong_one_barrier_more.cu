// wrong: race-shared
// A barrier between the two parts, "so that all begin the second part together". It is one more barrier to miscount.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    int sum = 0;
    for (int i = rank; i < n; i += 64) {
        tile[rank] = v[i];
        sum += v[i];
        block.sync();
        out[i] = i - rank + 64 <= n ? tile[63 - rank] : tile[rank];
        block.sync();
    }
    block.sync();
    tile[rank] = sum;
    block.sync();
    pairs[rank] = sum + tile[63 - rank];
}
