// A graph that is put together by hand: a fill, a copy, two kernels side by side, a third behind both, and a host function.
// prints: 3 launches, sum 9900, then 19800: no error
#include <cstdio>

__global__ void scale(const int* from, int* to, int n, int factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] * factor;
}

__global__ void add(const int* a, const int* b, int* to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += a[i] + b[i];
}

static int launches = 0;
void count(void*) { launches++; }

int main()
{
    const int n = 100;
    int host[n], result[n], *from, *a, *b, *to;
    for (int i = 0; i < n; i++) host[i] = i;
    for (int** one : {&from, &a, &b, &to}) cudaMalloc(one, sizeof host);

    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t copied, cleared, first, second, both, back, counted;
    cudaGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, from, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemsetParams zeros = {};
    zeros.dst = to;
    zeros.elementSize = 4;
    zeros.width = n;
    zeros.height = 1;
    cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &zeros);

    int size = n, one = 1;
    void* to_a[] = {&from, &a, &size, &one};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)scale;
    kernel.gridDim = dim3(2);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = to_a;
    cudaGraphAddKernelNode(&first, graph, &copied, 1, &kernel);
    void* to_b[] = {&from, &b, &size, &one};
    kernel.kernelParams = to_b;
    cudaGraphAddKernelNode(&second, graph, &copied, 1, &kernel);
    void* sum[] = {&a, &b, &to, &size};
    kernel.func = (void*)add;
    kernel.kernelParams = sum;
    cudaGraphNode_t before[] = {first, second, cleared};
    cudaGraphAddKernelNode(&both, graph, before, 3, &kernel);
    cudaGraphAddMemcpyNode1D(&back, graph, &both, 1, result, to, sizeof host, cudaMemcpyDeviceToHost);
    cudaHostNodeParams function = {count, nullptr};
    cudaGraphAddHostNode(&counted, graph, &back, 1, &function);

    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int sums[2] = {};
    for (int i = 0; i < 2; i++) cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    for (int value : result) sums[0] += value;

    // From now on the second kernel takes three times as much.
    int three = 3;
    void* tripled[] = {&from, &b, &size, &three};
    kernel.func = (void*)scale;
    kernel.kernelParams = tripled;
    cudaGraphExecKernelNodeSetParams(executable, second, &kernel);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    for (int value : result) sums[1] += value;
    printf("%d launches, sum %d, then %d: %s\n", launches, sums[0], sums[1], cudaGetErrorString(cudaGetLastError()));
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}
