// part of: a program that a test builds with a library. Memory of one is used by the other's kernel.
#include <cstdio>

extern "C" void twice_on_the_device(int* value);

__global__ void set(int* value) { *value = 21; }

int main()
{
    int *value, before, after;
    cudaMalloc(&value, sizeof *value);
    set<<<1, 1>>>(value);
    cudaMemcpy(&before, value, sizeof before, cudaMemcpyDeviceToHost);
    twice_on_the_device(value);
    cudaMemcpy(&after, value, sizeof after, cudaMemcpyDeviceToHost);
    printf("%d %d\n", before, after);
}
