// A program that looks at no error. One of its launches asks for too many threads; the others are right.
// prints: 2 4 6 8 twice: 4 of 4, error left: cudaErrorInvalidValue then cudaSuccess
#include <cstdio>

__global__ void twice(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main()
{
    const int n = 4;
    int host[n] = {1, 2, 3, 4}, *data;
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<1, 4096>>>(data, n);
    twice<<<1, 64>>>(data, n);
    cudaDeviceSynchronize();
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < n; i++) {
        printf("%d ", host[i]);
        right += host[i] == 2 * (i + 1);
    }
    printf("twice: %d of %d, error left: %s ", right, n, cudaGetErrorName(cudaGetLastError()));
    printf("then %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(data);
}
