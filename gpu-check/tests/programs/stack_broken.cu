// A class template in a header, two files, and a counter that both files' kernels increment without atomics.
// flags: -rdc=true tests/programs/stack_part.cu
// finds: race-global at stack.cuh 16, 11
// finds: race-global at stack.cuh 16, 9
#include "stack.cuh"
#include <memory>

__global__ void push_even(Longs* stack, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) stack->push(i);
}

int main()
{
    auto host = std::make_unique<Longs>();
    Longs* stack;
    int n = 100, count;
    if (cudaMalloc(&stack, sizeof(Longs)) != cudaSuccess) return 1;
    cudaMemset(stack, 0, sizeof(Longs));
    cudaMemcpy(stack, host.get(), sizeof(int), cudaMemcpyHostToDevice);
    push_even<<<2, 64>>>(stack, n);
    push_odd<<<2, 64>>>(stack, n);
    cudaMemcpy(host.get(), stack, sizeof(Longs), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, pushes, sizeof count);
    printf("%d values, sum %ld, %d pushes\n", host->size, host->sum(), count);
    return cudaFree(stack);
}
