// The host waits for a flag in page-locked memory, and for nothing else.
// prints: 42
#include <cstdio>

__global__ void answer(volatile int* data, volatile int* flag)
{
    *data = 42;
    __threadfence_system();
    *flag = 1;
}

int main()
{
    int* shared;
    cudaHostAlloc(&shared, 2 * sizeof(int), cudaHostAllocMapped);
    shared[0] = shared[1] = 0;
    answer<<<1, 1>>>(shared, shared + 1);
    while (*(volatile int*)(shared + 1) == 0) {}
    printf("%d\n", shared[0]);
    cudaDeviceSynchronize();
}
