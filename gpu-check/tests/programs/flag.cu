// One block fills a buffer and sets a flag with release, another waits for it with acquire.
// prints: 2016, want 2016
#include <cuda/atomic>
#include <cstdio>

__global__ void hand_over(int* buffer, int* flag, int* sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        buffer[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) ready.store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (ready.load(cuda::memory_order_acquire) == 0);
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
