// sums_by_label: how much each of five shops has sold.
//
// Given   Sale i was made in shop[i], a number from 0 to 4, for amount[i]; a return is negative. One thread per sale,
//         in blocks of 64. turnover has five ints, all 0.
// Range   n is from 1 to 250; shop has values from 0 to 4; amount has values from -7999999 to
//         7999999.
// Do      turnover[s] is the sum of the amounts of shop s.
// Budget  The result is right, with one atomic per sale. Allowed is at most one per shop and warp: first let the
//         threads of a warp that have the same shop add up among themselves.
//
// Read    lesson06-cooperative-groups/README.md, row `partition`; CUDA C++ Programming Guide, labeled_partition

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Threads past the end have no shop.
    const int label = i < n ? shop[i] : -1;
    const int money = i < n ? amount[i] : 0;

    // TODO: one atomic for all threads of the warp with this label.
    if (label >= 0) atomicAdd(&turnover[label], money);
}
