// Page-locked memory and asynchronous copies: the host reads the source and uses other elements beside them, and waits for the rest.
// prints: 5 9, then 6 14
#include <cstdio>

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main()
{
    const int n = 64;
    int *source, *target, *data;
    cudaMallocHost(&source, (n + 1) * sizeof(int));
    cudaMallocHost(&target, (n + 1) * sizeof(int));
    cudaMalloc(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) source[i] = i, target[i] = 0;
    cudaStream_t stream;
    cudaEvent_t copied;
    cudaStreamCreate(&stream);
    cudaEventCreate(&copied);
    cudaMemcpyAsync(data, source, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaEventRecord(copied, stream);
    int same = source[5];
    source[n] = 1;
    cudaEventSynchronize(copied);
    source[5] = 7;
    twice<<<1, n, 0, stream>>>(data);
    cudaMemcpyAsync(target, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    target[n] = 9;
    printf("%d %d, ", same, target[n]);
    cudaStreamSynchronize(stream);
    printf("then %d %d\n", target[3], target[7]);
}
