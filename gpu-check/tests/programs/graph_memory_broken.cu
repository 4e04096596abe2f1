// The memory of a graph is used beside the node that allocates it, and after the node that frees it.
// finds: race-global at 7
// finds: use-after-free at 11
#include <cstdio>

__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;
}

__global__ void sum(const int* data, int* total) {
    atomicAdd(total, data[threadIdx.x]);
}

int main() {
    const size_t bytes = 64 * sizeof(int);
    cudaStream_t stream, side;
    cudaEvent_t fork, join;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    int *data, *total;
    cudaMalloc(&total, sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    cudaDeviceSynchronize();

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(side, fork, 0);
    cudaMallocAsync(&data, bytes, stream);
    fill<<<1, 64, 0, side>>>(data);
    cudaEventRecord(join, side);
    cudaStreamWaitEvent(stream, join, 0);
    cudaFreeAsync(data, stream);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    sum<<<1, 64, 0, stream>>>(data, total);
    printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
}
