// What a stream refuses while it is captured, and what that does to the capture.
// prints: 401 900 0 401 900 901 0 900 901 901 0 900 901 0 0 0 0 0 900 901 0 906 901 0 0 907 901 0 905 901 0 0 0 0 1 903 901 0 0 0 904 0 0 1 0 0 0 0 0 0 nodes, 0
#include <cstdio>

__global__ void nothing() {}

#define SAY(call) printf("%d ", int(call))

static cudaStream_t stream, other;
static cudaGraph_t graph;

void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
    cudaGetLastError();
    SAY(cudaStreamBeginCapture(stream, mode));
}

int main()
{
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaEvent_t event, outside;
    cudaEventCreate(&event);
    cudaEventCreate(&outside);
    cudaEventRecord(outside, other);
    int* data;
    SAY(cudaStreamEndCapture(stream, &graph));
    SAY(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    begin();
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    SAY(cudaStreamQuery(stream));
    SAY(cudaMemsetAsync(&data, 0, 4, stream));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    SAY(cudaMalloc(&data, 4));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin(cudaStreamCaptureModeRelaxed);
    SAY(cudaMalloc(&data, 4));
    SAY(cudaFree(data));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    SAY(cudaDeviceSynchronize());
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    nothing<<<1, 1>>>();
    SAY(cudaGetLastError());
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    nothing<<<1, 1, 0, stream>>>();
    SAY(cudaEventRecord(event, stream));
    SAY(cudaEventSynchronize(event));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    nothing<<<1, 1, 0, stream>>>();
    SAY(cudaStreamWaitEvent(stream, outside, 0));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    nothing<<<1, 1, 0, stream>>>();
    SAY(cudaEventRecord(event, stream));
    SAY(cudaStreamWaitEvent(other, event, 0));
    nothing<<<1, 1, 0, other>>>();
    cudaStreamCaptureStatus status;
    SAY(cudaStreamIsCapturing(other, &status));
    printf("%d ", status);
    SAY(cudaStreamEndCapture(other, &graph));
    SAY(cudaStreamEndCapture(stream, &graph));
    begin();
    nothing<<<1, 1, 0, stream>>>();
    SAY(cudaEventRecord(event, stream));
    SAY(cudaStreamWaitEvent(other, event, 0));
    nothing<<<1, 1, 0, other>>>();
    SAY(cudaStreamEndCapture(stream, &graph));
    SAY(cudaStreamIsCapturing(other, &status));
    printf("%d ", status);
    SAY(cudaEventQuery(event));
    SAY(cudaEventRecord(event, stream));
    SAY(cudaEventSynchronize(event));
    begin();
    SAY(cudaStreamEndCapture(stream, &graph));
    nothing<<<1, 1>>>();
    size_t nodes = 7;
    SAY(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("%zu nodes, %d\n", nodes, int(cudaDeviceSynchronize()));
}
