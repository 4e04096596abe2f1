// What goes wrong before a kernel runs has the runtime's own names, as CUDA 13.0 gives them on an H200.
// prints: cudaErrorInvalidValue cudaSuccess cudaErrorInvalidValue cudaErrorInvalidDevice cudaErrorInvalidMemcpyDirection cudaErrorInvalidSymbol cudaSuccess cudaErrorNotReady
#include <cstdio>

__global__ void nothing() {}
__device__ int known;

int main()
{
    nothing<<<1, 2000>>>();
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    nothing<<<1, 32, 1 << 20>>>();
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s ", cudaGetErrorName(cudaSetDevice(3)));
    int value;
    printf("%s ", cudaGetErrorName(cudaMemcpy(&value, &value, 4, cudaMemcpyKind(9))));
    printf("%s ", cudaGetErrorName(cudaMemcpyFromSymbol(&value, value, 4)));
    printf("%s ", cudaGetErrorName(cudaMemcpyFromSymbol(&value, known, 4)));
    nothing<<<1, 1>>>();
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    printf("%s\n", cudaGetErrorName(cudaEventQuery(event)));
}
