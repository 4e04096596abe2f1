// Dependent launches in a graph that was captured. The second reads what the first has written, and never waits.
// finds: race-global at 15, 22
// flags: -arch=sm_90
#include <cstdio>
#include <cstdlib>

#define check(call) { cudaError_t code = (call); \
    if (code != cudaSuccess) { printf("%s\n", cudaGetErrorString(code)); exit(1); } }

__global__ void produce(float* x, int n)
{
    cudaGridDependencySynchronize();
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
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = n / 128;
    config.blockDim = 128;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaLaunchKernelEx(&config, produce, x, n));
    check(cudaLaunchKernelEx(&config, consume, (const float*)x, (const float*)weights, y, n));
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&executable, graph, 0));
    for (int round = 0; round < 2; round++) check(cudaGraphLaunch(executable, stream));
    check(cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    int right = 0;
    for (int i = 0; i < n; i++) right += host[i] == 2.0f * (n - 1 - i) + 1;
    printf("%d sums are right\n", right);
    return 0;
}
