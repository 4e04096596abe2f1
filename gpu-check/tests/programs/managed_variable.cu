// A managed and a constant variable, a pitched copy, occupancy, properties.
// prints: 12 42 5 1 1
#include <cstdio>

__managed__ int shown = 11;
__constant__ int added[4];
__device__ int total;

__global__ void run_all(const char* rows, size_t pitch)
{
    shown += 1;
    total = rows[2 * pitch + 1] + added[3];
}

int main()
{
    int four[4] = {0, 0, 0, 40}, host;
    char from[3][5] = {};
    from[2][1] = 2;
    char* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 5, 3);
    cudaMemcpy2D(rows, pitch, from, 5, 5, 3, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(added, four, sizeof four);
    run_all<<<1, 1>>>(rows, pitch);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&host, total, sizeof host);
    printf("%d %d ", shown, host);
    char back[3][5] = {};
    back[1][1] = 5;
    cudaMemset2D(rows, pitch, 0, 5, 1);
    cudaMemcpy2D(back, 5, rows, pitch, 5, 1, cudaMemcpyDeviceToHost);
    printf("%d ", back[1][1] + back[0][0]);
    int grid, block;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, run_all, 0, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%d %d\n", block > 0 && grid > 0, properties.warpSize == 32 && properties.major >= 7);
}
