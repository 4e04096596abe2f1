// The loop counts tiles, not elements: every thread makes the same number of rounds.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    int sum = 0;

    for (int first = 0; first < n; first += 64) {
        const int i = first + rank;
        if (i < n) {
            tile[rank] = v[i];
            sum += v[i];
        }
        block.sync();
        if (i < n) out[i] = first + 64 <= n ? tile[63 - rank] : tile[rank];
        block.sync();
    }

    tile[rank] = sum;
    block.sync();
    pairs[rank] = sum + tile[63 - rank];
}
