// wrong: undefined-value
// Only full tiles: every thread makes the same number of rounds, but the last few elements are left out.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    int sum = 0;
    for (int i = rank; i < n / 64 * 64; i += 64) {
        tile[rank] = v[i];
        sum += v[i];
        block.sync();
        out[i] = tile[63 - rank];
        block.sync();
    }
    tile[rank] = sum;
    block.sync();
    pairs[rank] = sum + tile[63 - rank];
}
