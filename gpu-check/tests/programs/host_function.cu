// A function of the host in a stream may not call CUDA: each call is refused, and the stream goes on.
// prints: inside cudaErrorNotPermitted cudaErrorNotPermitted, after cudaSuccess 5
#include <cstdio>

__global__ void add(int* data, int value) { *data += value; }

struct Shared {
    int* data;
    int host;
    cudaStream_t stream;
    cudaError_t copied, allocated;
};

void CUDART_CB inside(void* pointer)
{
    auto* shared = static_cast<Shared*>(pointer);
    int* more;
    shared->copied = cudaMemcpyAsync(&shared->host, shared->data, 4, cudaMemcpyDeviceToHost, shared->stream);
    shared->allocated = cudaMalloc(&more, 4);
}

int main()
{
    Shared shared = {};
    cudaMalloc(&shared.data, 4);
    cudaStreamCreate(&shared.stream);
    cudaMemsetAsync(shared.data, 0, 4, shared.stream);
    add<<<1, 1, 0, shared.stream>>>(shared.data, 2);
    cudaLaunchHostFunc(shared.stream, inside, &shared);
    add<<<1, 1, 0, shared.stream>>>(shared.data, 3);
    int host = 0;
    cudaMemcpyAsync(&host, shared.data, 4, cudaMemcpyDeviceToHost, shared.stream);
    cudaError_t after = cudaStreamSynchronize(shared.stream);
    printf("inside %s %s, ", cudaGetErrorName(shared.copied), cudaGetErrorName(shared.allocated));
    printf("after %s %d\n", cudaGetErrorName(after), host);
    cudaStreamDestroy(shared.stream);
    cudaFree(shared.data);
}
