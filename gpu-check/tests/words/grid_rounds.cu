// A barrier of the grid orders a loop's write before its read, and not the read before the next round's write.
// flags: -arch=sm_90
// says: no barrier between line 17 and line 15 of the next iteration
// says: a second `grid.sync()` after line 17, before the next iteration
// dice: `grid.sync()`
// never: split the kernel
#include <cooperative_groups.h>
#include <cstdio>

__global__ void pass_on(float* box, float* sums, int rounds)
{
    auto grid = cooperative_groups::this_grid();
    float sum = 0;
    for (int round = 0; round < rounds; round++) {
        if (threadIdx.x == 0) box[blockIdx.x] = round + blockIdx.x;
        grid.sync();
        sum += box[(blockIdx.x + 1) % gridDim.x];
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main()
{
    float *box, *sums;
    cudaMalloc(&box, 2 * sizeof(float));
    cudaMalloc(&sums, 128 * sizeof(float));
    int rounds = 3;
    void* arguments[] = {&box, &sums, &rounds};
    cudaLaunchCooperativeKernel((void*)pass_on, dim3(2), dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(box);
    cudaFree(sums);
}
