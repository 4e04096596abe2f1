// Queries of an event and of a stream while a kernel waits for the host: not ready, and the host goes on.
// prints: not ready 600 600, then 0 0 0
#include <cstdio>

__global__ void wait_for(volatile int *flag, int *out) {
    while (*flag == 0) {
    }
    *out = 1;
}

int main() {
    volatile int *flag;
    int *out;
    cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped);
    cudaMalloc(&out, sizeof *out);
    *flag = 0;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    wait_for<<<1, 1, 0, stream>>>(flag, out);
    cudaEventRecord(event, stream);
    int first = cudaEventQuery(event);
    printf("not ready %d %d, ", first, cudaStreamQuery(stream));
    *flag = 1;
    int waited = cudaStreamSynchronize(stream);
    int then = cudaEventQuery(event);
    printf("then %d %d %d\n", waited, then, cudaStreamQuery(stream));
}
