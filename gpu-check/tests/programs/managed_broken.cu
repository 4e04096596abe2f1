// Managed memory, one element too many.
// finds: out-of-bounds at 8
#include <cstdio>

__global__ void twice(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) data[i] *= 2;
}

int main()
{
    const int n = 100;
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) data[i] = i;
    twice<<<1, 128>>>(data, n);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    if (error == cudaSuccess) printf("%d\n", data[n - 1]);
    cudaFree(data);
}
