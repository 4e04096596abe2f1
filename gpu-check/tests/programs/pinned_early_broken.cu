// Page-locked memory that a kernel writes, read before the kernel has been waited for.
// finds: race-global at 9
// prints: 0, then 198
#include <cstdio>

__global__ void twice(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = 2 * i;
}

int main()
{
    const int n = 100;
    int* data;
    cudaHostAlloc(&data, n * sizeof(int), cudaHostAllocMapped);
    for (int i = 0; i < n; i++) data[i] = 0;
    twice<<<1, 128>>>(data, n);
    int early = data[n - 1];
    cudaDeviceSynchronize();
    printf("%d, then %d\n", early, data[n - 1]);
    cudaFreeHost(data);
}
