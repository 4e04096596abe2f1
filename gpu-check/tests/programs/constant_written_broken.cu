// Kernels write a constant through pointers to it.
// finds: out-of-bounds at 10
// finds: out-of-bounds at 14
// prints: 14
#include <cstdio>

__constant__ int limits[2] = {3, 4};

__global__ void grow(int* all, int by) {
    all[1] += by;
}

__global__ void grow_atomically(int* all, int by) {
    atomicAdd(&all[1], by);
}

__global__ void show(int* out) {
    *out = limits[1];
}

int main() {
    int *out, result, *all;
    cudaMalloc(&out, sizeof *out);
    cudaGetSymbolAddress((void**)&all, limits);
    grow<<<1, 1>>>(all, 5);
    grow_atomically<<<1, 1>>>(all, 5);
    show<<<1, 1>>>(out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
}
