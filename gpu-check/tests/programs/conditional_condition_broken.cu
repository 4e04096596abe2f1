// A kernel sets the condition of an if node in a branch beside it: no edge orders the two. In the body, two kernels in
// branches of their own write the same element.
// finds: race-global at 10
// finds: race-global at 14, 18
#include <cstdio>

__global__ void decide(cudaGraphConditionalHandle handle, const int* data) {
    // The third element decides.
    bool wanted = data[2] > 0;
    cudaGraphSetConditional(handle, wanted);
}

__global__ void one(int* data) {
    data[0] = 1;
}

__global__ void two(int* data) {
    data[0] = 2;
}

int main() {
    int *data, host[3] = {0, 0, 1};
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams wanted = {cudaGraphNodeTypeConditional};
    wanted.conditional.handle = handle;
    wanted.conditional.type = cudaGraphCondTypeIf;
    wanted.conditional.size = 1;
    cudaGraphNode_t node;
#if CUDART_VERSION < 13000
    cudaGraphAddNode(&node, graph, nullptr, 0, &wanted);
#else
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wanted);
#endif
    void* set[] = {&handle, &data};
    void* write[] = {&data};
    cudaKernelNodeParams kernel = {(void*)decide, dim3(1), dim3(1), 0, set, nullptr};
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
    cudaGraph_t body = wanted.conditional.phGraph_out[0];
    kernel.kernelParams = write;
    kernel.func = (void*)one;
    cudaGraphAddKernelNode(&node, body, nullptr, 0, &kernel);
    kernel.func = (void*)two;
    cudaGraphAddKernelNode(&node, body, nullptr, 0, &kernel);

    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
