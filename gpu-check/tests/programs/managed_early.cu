// Managed memory beside a kernel that is still running: another array, an element that the kernel leaves alone, and one that
// both only read.
// prints: 7 5 0, then 198
#include <cstdio>

__global__ void twice(int* data, const int* factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = *factor * i;
}

int main()
{
    const int n = 100;
    int *data, *factor, *other;
    cudaMallocManaged(&data, (n + 1) * sizeof(int));
    cudaMallocManaged(&factor, sizeof(int));
    cudaMallocManaged(&other, n * sizeof(int));
    for (int i = 0; i <= n; i++) data[i] = 0;
    *factor = 2;
    twice<<<1, 128>>>(data, factor, n);
    other[3] = 7;
    data[n] = 3;
    int sum = data[n] + *factor;
    printf("%d %d %d, ", other[3], sum, 0);
    cudaDeviceSynchronize();
    printf("then %d\n", data[n - 1]);
    for (int* one : {data, factor, other}) cudaFree(one);
}
