// A spin lock around a sum, of atomics alone: they are relaxed, so the lock orders nothing without a fence.
// finds: race-global at 29
#include <cstdio>
#include <cstdlib>

#define CHECK(call) do { if ((call) != cudaSuccess) { printf("error in line %d\n", __LINE__); exit(1); } } while (0)

struct Lock {
    int* mutex;
    Lock()
    {
        CHECK(cudaMalloc(&mutex, sizeof(int)));
        CHECK(cudaMemset(mutex, 0, sizeof(int)));
    }
    __device__ void lock()
    {
        while (atomicCAS(mutex, 0, 1) != 0);
    }
    __device__ void unlock()
    {
        atomicExch(mutex, 0);
    }
};

__global__ void add_up(Lock guard, int* sum)
{
    if (threadIdx.x == 0) {
        guard.lock();
        *sum += blockIdx.x;
        guard.unlock();
    }
}

int main()
{
    Lock guard;
    int *sum, host = -1;
    CHECK(cudaMalloc(&sum, sizeof(int)));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    add_up<<<16, 32>>>(guard, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost));
    printf("sum %d, expected %d\n", host, 16 * 15 / 2);
    CHECK(cudaFree(sum));
    CHECK(cudaFree(guard.mutex));
}
// other size: <<<16, 32>>> => <<<5, 64>>>
