// The buffer is freed before the kernel that uses it is launched.
// finds: use-after-free at 7
#include <cstdio>

__global__ void iota(int* data)
{
    data[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *data, host[64];
    cudaMalloc(&data, sizeof host);
    cudaFree(data);
    iota<<<1, 64>>>(data);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return 0;
}
