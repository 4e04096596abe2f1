// Kernels that copy and set memory, in one stream each: the order of the stream is enough.
// flags: -rdc=true
// prints: sum 4950 set 16843009
#include <cstdio>

__global__ void fill(int* values, int n)
{
    int i = threadIdx.x;
    if (i < n) values[i] = i;
}

__global__ void parent(int* values, int* copy, int* set, int n)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, 128, 0, stream>>>(values, n);
    cudaMemcpyAsync(copy, values, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
    cudaStreamDestroy(stream);
    cudaMemsetAsync(set, 1, n * sizeof(int) - 3);
    cudaMemsetAsync((char*)set + n * sizeof(int) - 3, 1, 3);
}

int main()
{
    const int n = 100;
    int *values, *copy, *set, host[n], sum = 0;
    cudaMalloc(&values, n * sizeof(int));
    cudaMalloc(&copy, n * sizeof(int));
    cudaMalloc(&set, n * sizeof(int));
    parent<<<1, 1>>>(values, copy, set, n);
    cudaMemcpy(host, copy, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) sum += host[i];
    cudaMemcpy(host, set, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("sum %d set %d\n", sum, host[n - 1]);
    cudaFree(values);
    cudaFree(copy);
    cudaFree(set);
}
