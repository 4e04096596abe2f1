// A programmatic edge of a graph. The second kernel reads what the first has written, and never waits.
// finds: race-global at 14, 21
// flags: -arch=sm_90
#include <cstdio>
#include <cstdlib>

#define check(call) { cudaError_t code = (call); \
    if (code != cudaSuccess) { printf("%s\n", cudaGetErrorString(code)); exit(1); } }

__global__ void produce(float* x, int n)
{
    cudaTriggerProgrammaticLaunchCompletion();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2.0f * i;
}

__global__ void consume(const float* x, const float* weights, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float weight = i < n ? weights[i] : 0;
    if (i < n) y[i] = x[n - 1 - i] + weight;
}

int main()
{
    const int n = 512;
    float *x, *weights, *y, host[n];
    check(cudaMalloc(&x, n * sizeof(float)));
    check(cudaMalloc(&weights, n * sizeof(float)));
    check(cudaMalloc(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++) host[i] = 1;
    check(cudaMemcpy(weights, host, sizeof host, cudaMemcpyHostToDevice));

    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t first, second;
    check(cudaGraphCreate(&graph, 0));
    cudaKernelNodeParams node = {};
    node.gridDim = n / 128;
    node.blockDim = 128;
    int count = n;
    void* produced[] = {&x, &count};
    node.func = (void*)produce;
    node.kernelParams = produced;
    check(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &node));
    void* consumed[] = {&x, &weights, &y, &count};
    node.func = (void*)consume;
    node.kernelParams = consumed;
    check(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &node));
    cudaGraphEdgeData edge = {};
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
    check(cudaGraphAddDependencies(graph, &first, &second, &edge, 1));
    check(cudaGraphInstantiate(&executable, graph, 0));
    for (int round = 0; round < 2; round++) check(cudaGraphLaunch(executable, stream));
    check(cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    int right = 0;
    for (int i = 0; i < n; i++) right += host[i] == 2.0f * (n - 1 - i) + 1;
    printf("%d sums are right\n", right);
    return 0;
}
