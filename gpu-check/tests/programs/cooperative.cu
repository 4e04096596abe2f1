// A sum over all blocks in one launch. The grid waits before block 0 adds up.
// prints: 2976
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum(int* parts, int* out)
{
    cg::grid_group grid = cg::this_grid();
    int part = __reduce_add_sync(~0u, threadIdx.x);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = part;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (int b = 0; b < gridDim.x; b++) all += parts[b];
        *out = all;
    }
}

int main()
{
    int *parts, *out, host;
    cudaMalloc(&parts, 6 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    void* arguments[] = {&parts, &out};
    cudaLaunchCooperativeKernel((void*)sum, dim3(6), dim3(32), arguments, 0, 0);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
