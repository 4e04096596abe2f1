// A block adds up its part. All its threads reach each barrier, and one block has no work and returns as a whole.
// no note: some threads of a block leave the kernel before a `__syncthreads()` that the others reach
// prints: 4950
#include <cstdio>

__global__ void sum(const int* in, int* out, int n) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x * blockDim.x >= n) return;
    if (i < n) atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
}

int main() {
    int *in, *out, host[100], result = 0;
    for (int i = 0; i < 100; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof *out);
    sum<<<3, 64>>>(in, out, 100);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
}
