// A kernel launches another into one stream, and copies its result in another. Nothing orders the two.
// flags: -rdc=true
// finds: race-global at 9
#include <cstdio>

__global__ void fill(int* values, int n)
{
    int i = threadIdx.x;
    if (i < n) values[i] = i;
}

__global__ void parent(int* values, int* copy, int n)
{
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    fill<<<1, 128, 0, first>>>(values, n);
    cudaMemcpyAsync(copy, values, n * sizeof(int), cudaMemcpyDeviceToDevice, second);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

int main()
{
    const int n = 100;
    int *values, *copy, host[n], sum = 0;
    cudaMalloc(&values, n * sizeof(int));
    cudaMalloc(&copy, n * sizeof(int));
    cudaMemset(values, 0, n * sizeof(int));
    parent<<<1, 1>>>(values, copy, n);
    cudaMemcpy(host, copy, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) sum += host[i];
    printf("sum %d\n", sum);
    cudaFree(values);
    cudaFree(copy);
}
