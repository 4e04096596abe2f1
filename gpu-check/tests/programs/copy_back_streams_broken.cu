// A copy to the host in one stream, while a kernel in another stream still writes the buffer.
// finds: race-global at 8
#include <cstdio>

__global__ void fill(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = n - i;
}

int main()
{
    const int n = 200;
    int *pinned, *data;
    cudaMallocHost(&pinned, n * sizeof(int));
    cudaMalloc(&data, n * sizeof(int));
    cudaMemset(data, 0, n * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t compute, copy;
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
    fill<<<2, 128, 0, compute>>>(data, n);
    cudaMemcpyAsync(pinned, data, n * sizeof(int), cudaMemcpyDeviceToHost, copy);
    cudaStreamSynchronize(copy);
    int right = 0;
    for (int i = 0; i < n; i++) right += pinned[i] == n - i;
    printf("%d of %d\n", right, n);
    cudaDeviceSynchronize();
    cudaStreamDestroy(compute);
    cudaStreamDestroy(copy);
    cudaFreeHost(pinned);
    cudaFree(data);
}
