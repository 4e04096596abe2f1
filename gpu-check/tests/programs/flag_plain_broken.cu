// One block fills a buffer and sets a flag, another waits for it. The flag is a plain int, so it orders nothing.
// finds: race-global at 12, 15
// finds: race-global at 9, 17
#include <cstdio>

__global__ void hand_over(int* buffer, int* flag, int* sum)
{
    if (blockIdx.x == 0) {
        buffer[threadIdx.x] = threadIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0) __threadfence();
        __syncthreads();
        atomicAdd(sum, buffer[threadIdx.x]);
    }
}

int main()
{
    int *buffer, *flag, *sum, host;
    cudaMalloc(&buffer, 64 * sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(buffer, 0, 64 * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    hand_over<<<2, 64>>>(buffer, flag, sum);
    cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d, want %d\n", host, 63 * 64 / 2);
    cudaFree(buffer);
    cudaFree(flag);
    cudaFree(sum);
}
