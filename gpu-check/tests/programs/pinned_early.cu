// Page-locked memory that a kernel writes: the host waits by an event, and polls a flag that the kernel only reads.
// prints: 5 198
#include <cstdio>

__global__ void twice(int* data, const int* limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < *limit) data[i] = 2 * i;
}

int main()
{
    const int n = 100;
    int *data, *limit;
    cudaMallocHost(&data, (n + 1) * sizeof(int));
    cudaMallocHost(&limit, sizeof(int));
    *limit = n;
    cudaEvent_t done;
    cudaEventCreate(&done);
    twice<<<1, 128>>>(data, limit);
    cudaEventRecord(done);
    data[n] = *limit / 20;
    cudaEventSynchronize(done);
    printf("%d %d\n", data[n], data[n - 1]);
    cudaFreeHost(data);
    cudaFreeHost(limit);
}
