// One block fills a buffer and sets a volatile flag, another waits for it. No fence orders the buffer and the flag.
// finds: race-global at 8, 15
#include <cstdio>

__global__ void hand_over(int* buffer, volatile int* flag, int* sum)
{
    if (blockIdx.x == 0) {
        buffer[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0);
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
// other size: <<<2, 64>>> => <<<2, 32>>>
