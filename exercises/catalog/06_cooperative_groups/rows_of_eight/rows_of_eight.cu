// rows_of_eight: the sum of each row of a table with 8 columns.
//
// Given    v has rows of 8 ints, one after the other; one thread per int, 8 rows per block of 64. sums are 0.
// Range    rows is from 1 to 30; v has values from -99 to 99.
// Do       sums[r] is the sum of row r.
// Budget   Each int is read by its own thread, so that a warp's 32 ints are one request.
// Problem  Three of four rows have no sum, and the sum of the fourth is too large.
//
// Read     lesson06-cooperative-groups/README.md, row `partition`;
//          CUDA C++ Programming Guide, tiled partitions

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void sum_rows(const int* v, int rows, int* sums) {
    // TODO: which threads belong to one row?
    auto group = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * 8 + threadIdx.x / 8;
    const int mine = row < rows ? v[blockIdx.x * 64 + threadIdx.x] : 0;

    const int sum = cg::reduce(group, mine, cg::plus<int>());
    if (group.thread_rank() == 0 && row < rows) sums[row] = sum;
}
