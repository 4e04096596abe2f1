// Counts primes. The counter is set to zero first.
// prints: 168 primes below 1000, as on the CPU
#include <stdio.h>
#include <stdlib.h>

__host__ __device__ int is_prime(int x)
{
    if (x < 2) return 0;
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0) return 0;
    return 1;
}

__global__ void count_primes(int n, int* counter)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n && is_prime(x))
        atomicAdd(counter, 1);
}

int main(void)
{
    const int n = 1000;
    int *counter, gpu, cpu = 0;
    cudaError_t err = cudaMalloc((void**)&counter, sizeof(int));
    if (err != cudaSuccess) {
        fprintf(stderr, "Failed to allocate the counter (%s)!\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    err = cudaMemset(counter, 0, sizeof(int));
    if (err != cudaSuccess) {
        fprintf(stderr, "Failed to set the counter (%s)!\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    count_primes<<<(n + 255) / 256, 256>>>(n, counter);
    err = cudaGetLastError();
    if (err != cudaSuccess) {
        fprintf(stderr, "Failed to launch the kernel (%s)!\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    err = cudaMemcpy(&gpu, counter, sizeof(int), cudaMemcpyDeviceToHost);
    if (err != cudaSuccess) {
        fprintf(stderr, "Failed to copy the counter (%s)!\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    for (int x = 0; x < n; x++) cpu += is_prime(x);
    if (gpu == cpu) printf("%d primes below %d, as on the CPU\n", gpu, n);
    else printf("GPU %d, CPU %d\n", gpu, cpu);
    cudaFree(counter);
    return 0;
}
