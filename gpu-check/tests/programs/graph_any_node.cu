// Nodes of every type are added by one call: memory, a fill, kernels, a copy, a host function, an event, and a graph that
// is moved into its node.
// prints: sum 128, called 1, then 192, called 2: no error
#include <cstdio>

__global__ void add(int* data, int value) {
    data[threadIdx.x] += value;
}

static int called = 0;

void call(void*) {
    called++;
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

int main() {
    cudaGraph_t graph, inner;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&inner, 0);
    cudaEvent_t event;
    cudaEventCreate(&event);
    int host[64];

    cudaGraphNodeParams memory = {cudaGraphNodeTypeMemAlloc};
    memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.alloc.bytesize = sizeof host;
    cudaGraphNode_t last = added(graph, nullptr, &memory);
    int* data = (int*)memory.alloc.dptr;

    cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset};
    fill.memset.dst = data;
    fill.memset.elementSize = 4;
    fill.memset.width = 64;
    fill.memset.height = 1;
    last = added(graph, last, &fill);

    int value = 1;
    void* arguments[] = {&data, &value};
    cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
    kernel.kernel.func = (void*)add;
    kernel.kernel.gridDim = dim3(1);
    kernel.kernel.blockDim = dim3(64);
    kernel.kernel.kernelParams = arguments;
    cudaGraphNode_t first = last = added(graph, last, &kernel);
    cudaGraphNode_t moved = added(inner, nullptr, &kernel);

    cudaGraphNodeParams child = {cudaGraphNodeTypeGraph};
    child.graph.graph = inner;
#if CUDART_VERSION >= 13000
    child.graph.ownership = cudaGraphChildGraphOwnershipMove;
#endif
    last = added(graph, last, &child);

    cudaGraphNodeParams copy = {cudaGraphNodeTypeMemcpy};
    copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(data, sizeof host, sizeof host, 1);
    copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(host, sizeof host, sizeof host, 1);
    copy.memcpy.copyParams.extent = make_cudaExtent(sizeof host, 1, 1);
    copy.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    last = added(graph, last, &copy);

    cudaGraphNodeParams function = {cudaGraphNodeTypeHost};
    function.host.fn = call;
    last = added(graph, last, &function);
    cudaGraphNodeParams record = {cudaGraphNodeTypeEventRecord};
    record.eventRecord.event = event;
    last = added(graph, last, &record);
    cudaGraphNodeParams wait = {cudaGraphNodeTypeWaitEvent};
    wait.eventWait.event = event;
    last = added(graph, last, &wait);
    cudaGraphNodeParams empty = {cudaGraphNodeTypeEmpty};
    last = added(graph, last, &empty);
    cudaGraphNodeParams free = {cudaGraphNodeTypeMemFree};
    free.free.dptr = data;
    added(graph, last, &free);

    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int sums[2] = {}, calls[2] = {};
    for (int i = 0; i < 2; i++) {
        cudaGraphLaunch(executable, stream);
        cudaStreamSynchronize(stream);
        for (int one : host) sums[i] += one;
        calls[i] = called;
        value = 2;
        cudaGraphExecNodeSetParams(executable, first, &kernel);
        cudaGraphNodeSetParams(moved, &kernel);
    }
    printf("sum %d, called %d, then %d, called %d: ", sums[0], calls[0], sums[1], calls[1]);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
