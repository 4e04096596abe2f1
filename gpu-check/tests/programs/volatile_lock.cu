// Peterson's lock of volatile accesses and fences. Which block comes last, and so `victim`, depends on the schedule.
// prints: 4
#include <cstdio>

__device__ int wants[2], victim, counter;

__global__ void add(int rounds)
{
    int me = blockIdx.x, other = 1 - me;
    volatile int* w = wants;
    volatile int* v = &victim;
    for (int i = 0; i < rounds; i++) {
        w[me] = 1;
        asm volatile("fence.sc.gpu;" ::: "memory");
        *v = me;
        asm volatile("fence.sc.gpu;" ::: "memory");
        while (w[other] && *v == me) {}
        __threadfence();
        counter++;
        __threadfence();
        w[me] = 0;
    }
}

int main()
{
    int count = 0;
    cudaMemcpyToSymbol(counter, &count, sizeof count);
    int zeros[2] = {};
    cudaMemcpyToSymbol(wants, zeros, sizeof zeros);
    cudaMemcpyToSymbol(victim, zeros, sizeof(int));
    add<<<2, 1>>>(2);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    printf("%d\n", count);
    return count != 4;
}
