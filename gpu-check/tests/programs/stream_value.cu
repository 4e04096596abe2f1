// One stream waits for the value that another one writes after its kernel.
// flags: -lcuda
// prints: 5 36
#include <cstdio>
#include <cuda.h>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x + 5; }
__global__ void copy(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }

int main()
{
    int *x, *y, host[32];
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    CUdeviceptr flag;
    cuMemAlloc(&flag, 4);
    cuMemsetD32(flag, 0, 1);
    cudaDeviceSynchronize();
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cuStreamWaitValue32(second, flag, 1, CU_STREAM_WAIT_VALUE_GEQ);
    copy<<<1, 32, 0, second>>>(x, y);
    fill<<<1, 32, 0, first>>>(x);
    cuStreamWriteValue32(first, flag, 1, CU_STREAM_WRITE_VALUE_DEFAULT);
    cudaStreamSynchronize(second);
    cudaDeviceSynchronize();
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[31]);
    return 0;
}
