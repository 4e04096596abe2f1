// The last block has threads without an element: they skip the barrier, and what they should have written is read.
// finds: barrier-divergence at 12, 16
// finds: barrier-divergence at 16
// finds: undefined-value at 15
#include <cstdio>

__global__ void sum(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = in[i];
        __syncthreads();
    }
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

int main() {
    int *in, *out, last;
    cudaMalloc(&in, 100 * sizeof(int));
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemset(in, 0, 100 * sizeof(int));
    sum<<<2, 64>>>(in, out, 100);
    cudaMemcpy(&last, out + 1, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    return 0;
}
