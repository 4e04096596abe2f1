// The host writes a constant, and kernels read it: by name and through a pointer.
// prints: 13
#include <cstdio>

__constant__ int limits[2] = {3, 4};

__device__ __noinline__ int at(const int* all, int i) {
    return all[i];
}

__global__ void show(int* out) {
    *out = limits[1] + at(limits, threadIdx.x + 1);
}

int main() {
    int *out, result, grown = 9;
    cudaMalloc(&out, sizeof *out);
    cudaMemcpyToSymbol(limits, &grown, sizeof grown, sizeof grown);
    show<<<1, 1>>>(out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result - 5);
}
