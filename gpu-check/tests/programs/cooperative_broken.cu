// A sum over all blocks in one launch. Block 0 adds up before all others have written.
// finds: race-global at 13, 17
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum(int* parts, int* out)
{
    cg::grid_group grid = cg::this_grid();
    int part = __reduce_add_sync(~0u, threadIdx.x);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = part;
    cg::this_thread_block().sync();
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
