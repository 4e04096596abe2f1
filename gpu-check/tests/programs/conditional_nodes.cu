// Conditional nodes of graphs: if and else, a loop, a switch, and one inside another. Bodies are filled by calls and by
// capture. A condition has its default at each launch, or keeps the value of the launch before.
// prints: if 1 else 10, switch 200 0, loop 6, nested 11, kept 1 then 21, updated 14: no error
#include <cstdio>

__global__ void set(cudaGraphConditionalHandle handle, unsigned value) {
    cudaGraphSetConditional(handle, value);
}

__global__ void add(int* data, int value) {
    *data += value;
}

// Sets its data to half of it, and the condition to false once that is one.
__global__ void halve(cudaGraphConditionalHandle handle, int* data, int* rounds) {
    *data /= 2;
    *rounds += 1;
    cudaGraphSetConditional(handle, *data > 1);
}

// Without data of edges since CUDA 12.2, with it since CUDA 13.
cudaGraphNode_t added(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphNodeParams* wanted) {
    cudaGraphNode_t node = nullptr;
    size_t count = after ? 1 : 0;
#if CUDART_VERSION < 13000
    cudaError_t error = cudaGraphAddNode(&node, graph, &after, count, wanted);
#else
    cudaError_t error = cudaGraphAddNode(&node, graph, &after, nullptr, count, wanted);
#endif
    if (error) printf("%d: %s\n", wanted->type, cudaGetErrorString(error));
    return node;
}

cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after, void* function, void** arguments) {
    cudaGraphNodeParams wanted = {cudaGraphNodeTypeKernel};
    wanted.kernel.func = function;
    wanted.kernel.gridDim = wanted.kernel.blockDim = dim3(1);
    wanted.kernel.kernelParams = arguments;
    return added(graph, after, &wanted);
}

cudaGraphNode_t adds(cudaGraph_t graph, cudaGraphNode_t after, int* data, int value) {
    void* arguments[] = {&data, &value};
    return kernel(graph, after, (void*)add, arguments);
}

cudaGraphNode_t sets(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle, unsigned value) {
    void* arguments[] = {&handle, &value};
    return kernel(graph, after, (void*)set, arguments);
}

struct Conditional {
    cudaGraphNode_t node;
    cudaGraph_t* bodies;
};

Conditional conditional(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                        cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNodeParams wanted = {cudaGraphNodeTypeConditional};
    wanted.conditional.handle = handle;
    wanted.conditional.type = type;
    wanted.conditional.size = size;
    cudaGraphNode_t node = added(graph, after, &wanted);
    return {node, wanted.conditional.phGraph_out};
}

cudaGraphConditionalHandle condition(cudaGraph_t graph, unsigned value, unsigned flags) {
    cudaGraphConditionalHandle handle = 0;
    cudaGraphConditionalHandleCreate(&handle, graph, value, flags);
    return handle;
}

cudaGraphExec_t instantiated(cudaGraph_t graph) {
    cudaGraphExec_t executable = nullptr;
    cudaGraphInstantiate(&executable, graph, 0);
    return executable;
}

int result(cudaGraphExec_t executable, int* data, int start) {
    cudaMemcpy(data, &start, sizeof start, cudaMemcpyHostToDevice);
    cudaGraphLaunch(executable, 0);
    int end = 0;
    cudaMemcpy(&end, data, sizeof end, cudaMemcpyDeviceToHost);
    return end;
}

// A switch after a kernel that sets its condition. Each body adds another number, and so does what follows it.
cudaGraph_t switched(int* data, unsigned value, int step) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle = condition(graph, 0, 0);
    Conditional choice = conditional(graph, sets(graph, nullptr, handle, value), handle, cudaGraphCondTypeSwitch, 3);
    for (int i = 0; i < 3; i++) adds(choice.bodies[i], nullptr, data, step * i);
    return graph;
}

int main() {
    int *data, *rounds;
    cudaMalloc(&data, sizeof *data);
    cudaMalloc(&rounds, sizeof *rounds);
    cudaMemset(rounds, 0, sizeof *rounds);
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    cudaGraph_t graph;
    for (unsigned value = 1; value < 2; value--) {
        cudaGraphCreate(&graph, 0);
        cudaGraphConditionalHandle handle = condition(graph, value, cudaGraphCondAssignDefault);
        Conditional choice = conditional(graph, nullptr, handle, cudaGraphCondTypeIf, 2);
        for (int i = 0; i < 2; i++) {
            cudaStreamBeginCaptureToGraph(stream, choice.bodies[i], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
            add<<<1, 1, 0, stream>>>(data, i ? 10 : 1);
            cudaGraph_t same;
            cudaStreamEndCapture(stream, &same);
        }
        printf("%s %d", value ? "if" : " else", result(instantiated(graph), data, 0));
    }

    printf(", switch %d", result(instantiated(switched(data, 2, 100)), data, 0));
    printf(" %d", result(instantiated(switched(data, 3, 100)), data, 0));

    // 64, 32, 16, 8, 4, 2, 1: six rounds, in a body of two kernels.
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle goes_on = condition(graph, 1, cudaGraphCondAssignDefault);
    Conditional loop = conditional(graph, nullptr, goes_on, cudaGraphCondTypeWhile, 1);
    cudaGraphConditionalHandle is_first = condition(graph, 1, cudaGraphCondAssignDefault);
    void* arguments[] = {&goes_on, &data, &rounds};
    cudaGraphNode_t half = kernel(loop.bodies[0], nullptr, (void*)halve, arguments);
    // The default of the inner one is assigned once a launch, and not once a round.
    Conditional first = conditional(loop.bodies[0], half, is_first, cudaGraphCondTypeIf, 1);
    sets(loop.bodies[0], first.node, is_first, 0);
    adds(first.bodies[0], nullptr, rounds, 5);
    adds(graph, loop.node, data, -1);
    cudaGraphExec_t executable = instantiated(graph);
    int left = result(executable, data, 64), count = 0;
    cudaMemcpy(&count, rounds, sizeof count, cudaMemcpyDeviceToHost);
    printf(", loop %d, nested %d", left + count - 5, count);

    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle kept = condition(graph, 5, 0);
    Conditional choice = conditional(graph, nullptr, kept, cudaGraphCondTypeSwitch, 3);
    for (int i = 0; i < 3; i++) adds(choice.bodies[i], nullptr, data, 1 + 10 * i);
    sets(graph, choice.node, kept, 2);
    executable = instantiated(graph);
    printf(", kept %d", result(executable, data, 0));
    printf(" then %d", result(executable, data, 0));

    executable = instantiated(switched(data, 1, 1));
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExecUpdate(executable, switched(data, 2, 7), &info);
    printf(", updated %d", result(executable, data, 0));
    printf(": %s\n", cudaGetErrorString(cudaGetLastError()));
}
