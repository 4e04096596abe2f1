// Page-locked memory and asynchronous copies: the target is read, and the source is written, before the stream has been waited for.
// finds: race-global at
// prints: 0, then 6
#include <cstdio>

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main()
{
    const int n = 64;
    int *source, *target, *data;
    cudaMallocHost(&source, n * sizeof(int));
    cudaMallocHost(&target, n * sizeof(int));
    cudaMalloc(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) source[i] = i, target[i] = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(data, source, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    source[5] = 7;
    twice<<<1, n, 0, stream>>>(data);
    cudaMemcpyAsync(target, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    int early = target[3];
    cudaStreamSynchronize(stream);
    printf("%d, then %d\n", early, target[3]);
}
