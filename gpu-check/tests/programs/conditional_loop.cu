// A loop in a graph, and work beside it in a branch of its own, on other data. What follows waits for both.
// prints: 5 rounds, 5 beside: no error
#include <cstdio>

__global__ void step(cudaGraphConditionalHandle handle, int* data, int* rounds) {
    data[threadIdx.x] -= 1;
    if (threadIdx.x == 0) {
        *rounds += 1;
        cudaGraphSetConditional(handle, data[0] > 0);
    }
}

__global__ void beside(int* data) {
    data[threadIdx.x] += 5;
}

__global__ void sum(const int* data, const int* other, int* out) {
    out[threadIdx.x] = data[threadIdx.x] + other[threadIdx.x];
}

int main() {
    int *data, *other, *out, *rounds, host[64], count;
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&other, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&rounds, sizeof *rounds);
    for (int& one : host) one = 5;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(other, 0, sizeof host);
    cudaMemset(rounds, 0, sizeof *rounds);
    cudaStream_t stream, second;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&second);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);

    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(begin, stream);
    cudaStreamWaitEvent(second, begin, 0);
    beside<<<1, 64, 0, second>>>(other);
    cudaEventRecord(end, second);

    // The loop is added to the graph that is being captured, and the stream goes on after it.
    cudaStreamCaptureStatus status;
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams wanted = {cudaGraphNodeTypeConditional};
    cudaGraphNode_t node;
#if CUDART_VERSION < 13000
    cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph);
#else
    cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr, nullptr);
#endif
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    wanted.conditional.handle = handle;
    wanted.conditional.type = cudaGraphCondTypeWhile;
    wanted.conditional.size = 1;
#if CUDART_VERSION < 13000
    cudaGraphAddNode(&node, graph, nullptr, 0, &wanted);
    cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies);
#else
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wanted);
    cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
#endif
    cudaStreamWaitEvent(stream, end, 0);
    sum<<<1, 64, 0, stream>>>(data, other, out);
    cudaStreamEndCapture(stream, &graph);

    cudaGraph_t body = wanted.conditional.phGraph_out[0];
    cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    step<<<1, 64, 0, stream>>>(handle, data, rounds);
    cudaStreamEndCapture(stream, &body);

    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&count, rounds, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d rounds, %d beside: %s\n", count, host[63], cudaGetErrorString(cudaGetLastError()));
}
