// Memory of a stream's order is used in another stream, with no order to its allocation and then to its free.
// finds: race-global at 7
// finds: race-global at 11
#include <cstdio>

__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;
}

__global__ void clear(int* data) {
    data[threadIdx.x] = 0;
}

int main() {
    cudaStream_t own, other;
    cudaEvent_t event;
    cudaStreamCreate(&own);
    cudaStreamCreate(&other);
    cudaEventCreate(&event);
    int *early, *late;
    cudaMallocAsync(&early, 64 * sizeof(int), own);
    fill<<<1, 64, 0, other>>>(early);
    cudaStreamSynchronize(other);
    cudaMallocAsync(&late, 64 * sizeof(int), own);
    cudaEventRecord(event, own);
    cudaStreamWaitEvent(other, event, 0);
    clear<<<1, 64, 0, other>>>(late);
    cudaFreeAsync(late, own);
    cudaFreeAsync(early, own);
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}
