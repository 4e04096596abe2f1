// The block that finishes last adds up, as most books write it: a fence before the counter, a barrier after it.
// prints: total 6144 (want 6144)
#include <cstdio>

constexpr int BLOCKS = 8, THREADS = 64;

__device__ unsigned ticket;

__global__ void total(const int* in, volatile int* parts, int* out)
{
    __shared__ bool is_last;
    int part = __reduce_add_sync(0xffffffff, in[blockIdx.x * THREADS + threadIdx.x]);
    if (threadIdx.x % 32 == 0) {
        parts[(blockIdx.x * THREADS + threadIdx.x) / 32] = part;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&ticket, 1) == BLOCKS - 1;
    __syncthreads();
    if (is_last && threadIdx.x < 32) {
        int sum = threadIdx.x < BLOCKS * THREADS / 32 ? parts[threadIdx.x] : 0;
        sum = __reduce_add_sync(0xffffffff, sum);
        if (threadIdx.x == 0) *out = sum;
    }
}

int main()
{
    int host[BLOCKS * THREADS], *in, *parts, *out, got;
    for (int& value : host) value = 12;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&parts, BLOCKS * THREADS / 32 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    total<<<BLOCKS, THREADS>>>(in, parts, out);
    cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("total %d (want %d)\n", got, 12 * BLOCKS * THREADS);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(out);
}
