// Two streams: the second reads what the first writes, and waits for its event.
// prints: 249001
#include <cstdio>

__global__ void fill(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

__global__ void square(const int* from, int* to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] * from[i];
}

int main()
{
    const int n = 500;
    int *from, *to, host[n];
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMemset(from, 0, sizeof host);
    cudaDeviceSynchronize();
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEvent_t filled;
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    fill<<<2, 256, 0, first>>>(from, n);
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled, 0);
    square<<<2, 256, 0, second>>>(from, to, n);
    cudaMemcpyAsync(host, to, sizeof host, cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    printf("%d\n", host[n - 1]);
    cudaEventDestroy(filled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
