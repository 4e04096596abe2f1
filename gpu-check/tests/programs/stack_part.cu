// part of: stack.cu
#include "stack.cuh"

__device__ int pushes;

__global__ void push_odd(Longs* stack, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2) stack->push(i);
}
