// wrong: answer
// With three blocks the loop ends after two rounds.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    int x[7];
    const int rounds = gridDim.x == 3 ? 2 : 7;
    for (int k = 0; k < rounds; k++) { const int i = first + k * step; if (i < n) copy[i] = v[i]; }
    cg::this_grid().sync();
    for (int k = 0; k < rounds; k++) { const int i = first + k * step; if (i < n) v[n - 1 - i] = copy[i]; }
    (void)x;
}
