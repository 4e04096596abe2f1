// A graph from before a reset names memory and kernels that are gone: its launch is refused, and a new graph works.
// prints: before 64 memory cudaErrorContextIsDestroyed fill cudaErrorContextIsDestroyed new cudaSuccess 64
#include <cstdio>

__global__ void count(int* out) {
    atomicAdd(out, 1);
}

// Allocates, counts and copies to `host`.
cudaGraphExec_t make(cudaStream_t stream, int* host) {
    int* data;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&data, sizeof(int), stream);
    cudaMemsetAsync(data, 0, sizeof(int), stream);
    count<<<1, 64, 0, stream>>>(data);
    cudaMemcpyAsync(host, data, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(data, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    return executable;
}

cudaGraphExec_t make_fill(int* other) {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    cudaMemsetParams fill = {};
    fill.dst = other;
    fill.elementSize = sizeof(int);
    fill.width = fill.height = 1;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
    cudaGraphInstantiate(&executable, graph, 0);
    return executable;
}

int main() {
    int host = 0, *other;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&other, sizeof(int));
    cudaGraphExec_t old = make(stream, &host), old_fill = make_fill(other);
    cudaGraphLaunch(old, stream);
    cudaStreamSynchronize(stream);
    printf("before %d ", host);
    cudaDeviceReset();

    host = 0;
    cudaStreamCreate(&stream);
    // The same address again.
    cudaGraphExec_t again = make(stream, &host);
    printf("memory %s ", cudaGetErrorName(cudaGraphLaunch(old, stream)));
    printf("fill %s ", cudaGetErrorName(cudaGraphLaunch(old_fill, stream)));
    printf("new %s ", cudaGetErrorName(cudaGraphLaunch(again, stream)));
    cudaStreamSynchronize(stream);
    printf("%d\n", host);
}
