// Blocks that hand a value on by a volatile flag, with a fence on both sides, and a warp that adds up in volatile shared memory
// with a barrier after each step.
// prints: 42 496
#include <cstdio>

__global__ void hand_on(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}

__global__ void sum(int* out)
{
    volatile __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = t;
    part[t + 32] = 0;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        int other = part[t + half];
        __syncwarp();
        part[t] = part[t] + other;
        __syncwarp();
    }
    if (t == 0) *out = part[0];
}

int main()
{
    int *memory, host[4];
    cudaMalloc(&memory, sizeof host);
    cudaMemset(memory, 0, sizeof host);
    hand_on<<<2, 1>>>(memory, memory + 1, memory + 2);
    sum<<<1, 32>>>(memory + 3);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[2], host[3]);
    cudaFree(memory);
}
