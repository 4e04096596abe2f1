// A program that looks at no error and goes on after a kernel wrote out of bounds: from then on every call fails.
// finds: out-of-bounds at 8
// prints: cudaErrorIllegalAddress cudaErrorIllegalAddress cudaErrorIllegalAddress cudaErrorIllegalAddress cudaErrorIllegalAddress 7
#include <cstdio>

__global__ void fill(int* data)
{
    data[threadIdx.x * 1000] = 1;
}

int main()
{
    int *data, *more, host = 7;
    cudaMalloc(&data, 64 * sizeof(int));
    fill<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    printf("%s ", cudaGetErrorName(cudaMalloc(&more, 4)));
    printf("%s ", cudaGetErrorName(cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost)));
    fill<<<1, 1>>>(data);
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s %d\n", cudaGetErrorName(cudaFree(data)), host);
}
