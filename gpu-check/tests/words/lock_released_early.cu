// A row is counted under a lock, and written after the lock has been released.
// says: the lock is released in line 17, before (1)
// says: release the lock after line 18, with a `__threadfence()` before the release
// dice: el lock se libera en la línea 17, antes de (1)
// never: two threads of different blocks write it
#include <cstdio>

__device__ int lock;

__global__ void add_row(int* count)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence();
        int before = *count;
        __threadfence();
        atomicExch(&lock, 0);
        *count = before + 1;
    }
}

int main()
{
    int* count;
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    add_row<<<4, 32>>>(count);
    cudaDeviceSynchronize();
    cudaFree(count);
}
