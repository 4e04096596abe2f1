// Memory of a graph is copied after the graph has freed it.
// finds: use-after-free at
// prints: node cudaSuccess copy cudaErrorIllegalAddress wait cudaErrorIllegalAddress
#include <cstdio>

__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;
}

int main() {
    const size_t bytes = 64 * sizeof(int);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    int *data, host[64];
    cudaMallocAsync(&data, bytes, stream);
    fill<<<1, 64, 0, stream>>>(data);
    cudaFreeAsync(data, stream);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    printf("node %s ", cudaGetErrorName(cudaGraphLaunch(executable, stream)));
    printf("copy %s ", cudaGetErrorName(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, stream)));
    printf("wait %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
}
