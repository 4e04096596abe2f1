// Copies by the batch, what was advised about managed memory, and a node of a graph that is switched off.
// prints: 4 7 0 3, advised 1 0, then -1 0 1 and 11
#include <cstdio>

__global__ void add(int* data) { data[threadIdx.x] += 10; }

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *device, *host, back[8];
    cudaMalloc(&device, sizeof back);
    cudaMallocHost(&host, sizeof back);
    for (int i = 0; i < 8; i++) host[i] = i;
    // Both halves, the other way round.
    void* to[] = {device, device + 4};
    void* from[] = {host + 4, host};
    size_t sizes[] = {16, 16}, first = 0;
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
#if CUDART_VERSION >= 13000
    cudaMemcpyBatchAsync((const void**)to, (const void**)from, sizes, 2, &attributes, &first, 1, stream);
#else
    size_t failed;
    cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, &failed, stream);
#endif
    cudaStreamSynchronize(stream);
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d, ", back[0], back[3], back[4], back[7]);

    int *managed, mostly = 7, preferred = 7;
    cudaMallocManaged(&managed, 8192);
#if CUDART_VERSION >= 13000
    cudaMemLocation place{cudaMemLocationTypeDevice, 0};
#else
    int place = 0;
#endif
    cudaMemAdvise(managed, 8192, cudaMemAdviseSetReadMostly, place);
    cudaMemAdvise(managed, 8192, cudaMemAdviseSetPreferredLocation, place);
    cudaMemRangeGetAttribute(&mostly, sizeof mostly, cudaMemRangeAttributeReadMostly, managed, 8192);
    cudaMemRangeGetAttribute(&preferred, sizeof preferred, cudaMemRangeAttributePreferredLocation, managed, 8192);
    printf("advised %d %d, ", mostly, preferred);

    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    cudaGraphCreate(&graph, 0);
    void* arguments[] = {&device};
    cudaKernelNodeParams parameters{};
    parameters.func = (void*)add;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(8);
    parameters.kernelParams = arguments;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
    cudaKernelNodeAttrValue value{};
    value.priority = -1;
    cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value);
    value.priority = 7;
    cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value);
    cudaGraphInstantiate(&executable, graph, 0);
    unsigned before = 7, after = 7;
    cudaGraphNodeSetEnabled(executable, node, 0);
    cudaGraphNodeGetEnabled(executable, node, &before);
    cudaGraphLaunch(executable, stream);
    cudaGraphNodeSetEnabled(executable, node, 1);
    cudaGraphNodeGetEnabled(executable, node, &after);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
    printf("then %d %u %u and %d\n", value.priority, before, after, back[5]);
}
