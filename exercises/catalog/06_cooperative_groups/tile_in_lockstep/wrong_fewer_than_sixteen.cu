// wrong: out-of-bounds
// The value comes from `rounds` threads before. With more rounds than the ring has threads, the rest of the division is
// negative.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void rotate(const int* v, int n, int rounds, int* out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int rank = tile.thread_rank();
    const int i = blockIdx.x * 64 + threadIdx.x;
    const int from = i - rank + (rank + 16 - rounds) % 16;
    if (i < n) out[i] = from < n ? v[from] : 0;
}
