// Two files: a kernel that calls a function of the other one, with relocatable device code.
// flags: -rdc=true tests/programs/linked_part.cu
// prints: 126 7
#include <cstdio>

extern __device__ int twice(int value);
extern __constant__ int offset;

__global__ void kernel(int* data)
{
    data[threadIdx.x] = twice(threadIdx.x) + offset;
}

int main()
{
    int *data, host[64], seven = 7;
    cudaMalloc(&data, sizeof host);
    kernel<<<1, 64>>>(data);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d ", host[63]);
    cudaMemcpyToSymbol(offset, &seven, sizeof seven);
    kernel<<<1, 64>>>(data);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
