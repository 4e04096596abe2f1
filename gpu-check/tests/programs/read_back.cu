// New memory is copied to the host, changed there, and copied back to where it was, as libraries fill an array.
// prints: 7

#include <cstdio>

__global__ void add(int *value) { *value += 4; }

int main() {
    int *value, host;
    cudaMalloc(&value, sizeof host);
    cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost);
    host = 3;
    cudaMemcpy(value, &host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(value);
    cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
