// Barriers only for full tiles, where all threads agree. The rest is a copy without barriers.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank(), rest = n / 64 * 64 + rank;
    int sum = 0;
    for (int first = 0; first + 64 <= n; first += 64) {
        sum += tile[rank] = v[first + rank];
        block.sync();
        out[first + rank] = tile[63 - rank];
        block.sync();
    }
    if (rest < n) sum += out[rest] = v[rest];
    tile[rank] = sum;
    block.sync();
    pairs[rank] = tile[rank] + tile[63 - rank];
}
