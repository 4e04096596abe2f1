// A reset in the middle: memory and streams are gone, variables have their first values, and the program goes on.
// prints: before 8 reset cudaSuccess old memory cudaErrorInvalidValue variable 5 after 6 again cudaSuccess
#include <cstdio>

__device__ int counter = 5;

__global__ void increment(int* out) { *out = ++counter; }

int main()
{
    int *out, host = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&out, sizeof(int));
    for (int i = 0; i < 3; i++) increment<<<1, 1, 0, stream>>>(out);
    cudaMemcpyAsync(&host, out, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("before %d ", host);

    printf("reset %s ", cudaGetErrorName(cudaDeviceReset()));
    printf("old memory %s ", cudaGetErrorName(cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost)));
    cudaGetLastError();

    int value = -1;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    printf("variable %d ", value);
    cudaMalloc(&out, sizeof(int));
    increment<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("after %d ", host);
    cudaFree(out);
    printf("again %s\n", cudaGetErrorName(cudaDeviceReset()));
}
