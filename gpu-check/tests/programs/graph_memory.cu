// Graphs allocate memory: one frees it itself, in a captured stream; the memory of another is freed after each launch.
// prints: 3 nodes, sums 2016 2016, used 0: invalid argument, then no error
#include <cstdint>
#include <cstdio>

__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;
}

__global__ void sum(const int* data, int* total) {
    atomicAdd(total, data[threadIdx.x]);
}

int main() {
    const size_t bytes = 64 * sizeof(int);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *inner, *total, first, second;
    cudaMalloc(&total, sizeof(int));
    cudaMemset(total, 0, sizeof(int));

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&inner, bytes, stream);
    fill<<<1, 64, 0, stream>>>(inner);
    sum<<<1, 64, 0, stream>>>(inner, total);
    cudaFreeAsync(inner, stream);
    cudaGraph_t captured;
    cudaStreamEndCapture(stream, &captured);
    cudaGraphExec_t once;
    cudaGraphInstantiate(&once, captured, 0);
    cudaGraphLaunch(once, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&first, total, sizeof(int), cudaMemcpyDeviceToHost);

    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams wanted = {};
    wanted.poolProps.allocType = cudaMemAllocationTypePinned;
    wanted.poolProps.location.type = cudaMemLocationTypeDevice;
    wanted.bytesize = bytes;
    cudaGraphNode_t allocated, filled, cleared;
    cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &wanted);
    int* outer = (int*)wanted.dptr;
    void* arguments[] = {&outer};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)fill;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&filled, graph, &allocated, 1, &kernel);
    cudaMemsetParams zero = {};
    zero.dst = total;
    zero.elementSize = 4;
    zero.width = 1;
    zero.height = 1;
    cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &zero);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphExec_t kept;
    cudaGraphInstantiate(&kept, graph, 0);
    for (int i = 0; i < 2; i++) {
        cudaGraphLaunch(kept, stream);
        sum<<<1, 64, 0, stream>>>(outer, total);
        cudaFreeAsync(outer, stream);
    }
    cudaMemcpyAsync(&second, total, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);

    // With AutoFreeOnLaunch a launch frees memory that the last one has allocated and nothing has freed.
    cudaGraphLaunch(kept, stream);
    cudaError_t again = cudaGraphLaunch(kept, stream);
    cudaFree(outer);
    cudaGraphExecDestroy(kept);
    cudaGraphInstantiate(&kept, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    for (int i = 0; i < 2; i++) cudaGraphLaunch(kept, stream);
    cudaFreeAsync(outer, stream);
    cudaStreamSynchronize(stream);
    uint64_t used = 1;
    // What is kept for later launches counts as used until it is trimmed.
    cudaDeviceGraphMemTrim(0);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
    cudaGetLastError();
    printf("%zu nodes, sums %d %d, used %d: %s, ", nodes, first, second, int(used), cudaGetErrorString(again));
    printf("then %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
