// Memory of a stream's order is used in its stream, in another one after an event, and after the host has waited.
// prints: 0
#include <cstdio>

__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;
}

int main() {
    cudaStream_t own, other;
    cudaEvent_t event;
    cudaStreamCreate(&own);
    cudaStreamCreate(&other);
    cudaEventCreate(&event);
    int *first, *second, *third;
    cudaMallocAsync(&first, 64 * sizeof(int), own);
    fill<<<1, 64, 0, own>>>(first);
    cudaEventRecord(event, own);
    cudaStreamWaitEvent(other, event, 0);
    fill<<<1, 64, 0, other>>>(first);
    cudaFreeAsync(first, other);
    cudaMallocAsync(&second, 64 * sizeof(int), own);
    cudaStreamSynchronize(own);
    fill<<<1, 64, 0, other>>>(second);
    cudaDeviceSynchronize();
    cudaFreeAsync(second, own);
    cudaMallocAsync(&third, 64 * sizeof(int), own);
    cudaMemsetAsync(third, 0, 64 * sizeof(int), own);
    fill<<<1, 64>>>(third);
    fill<<<1, 64, 0, other>>>(third);
    cudaEventRecord(event, other);
    cudaStreamWaitEvent(own, event, 0);
    cudaFreeAsync(third, own);
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}
