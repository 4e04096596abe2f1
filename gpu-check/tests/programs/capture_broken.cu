// The same, but the streams join too late: the sum does not wait for the side stream.
// finds: race-global at 8, 14
#include <cstdio>

__global__ void fill(int* data, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i * value;
}

__global__ void add(const int* a, const int* b, int* sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += a[i] + b[i];
}

int main()
{
    const int n = 100;
    int host[n], *a, *b, *sum;
    for (int** one : {&a, &b, &sum}) cudaMalloc(one, sizeof host);
    cudaMemset(sum, 0, sizeof host);
    cudaStream_t main_stream, side;
    cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEvent_t fork, join;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaDeviceSynchronize();

    cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(a, 0, sizeof host, main_stream);
    cudaMemsetAsync(b, 0, sizeof host, main_stream);
    cudaEventRecord(fork, main_stream);
    cudaStreamWaitEvent(side, fork, 0);
    fill<<<2, 64, 0, main_stream>>>(a, n, 0);
    fill<<<2, 64, 0, side>>>(b, n, 1);
    cudaEventRecord(join, side);
    add<<<2, 64, 0, main_stream>>>(a, b, sum, n);
    cudaStreamWaitEvent(main_stream, join, 0);
    cudaMemcpyAsync(host, sum, sizeof host, cudaMemcpyDeviceToHost, main_stream);
    cudaGraph_t graph;
    cudaStreamEndCapture(main_stream, &graph);

    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(executable, main_stream);
    cudaStreamSynchronize(main_stream);
    int total = 0;
    for (int value : host) total += value;
    printf("%zu nodes, sum %d: %s\n", nodes, total, cudaGetErrorString(cudaGetLastError()));
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}
