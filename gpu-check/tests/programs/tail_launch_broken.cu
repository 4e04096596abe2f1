// A kernel launches another and reads its result at once. A kernel cannot wait for its children.
// flags: -rdc=true
// finds: race-global at 9, 16
#include <cstdio>

__global__ void square(int* values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i * i;
}

__global__ void parent(int* values, int n, int* sum)
{
    square<<<1, n>>>(values, n);
    int all = 0;
    for (int i = 0; i < n; i++) all += values[i];
    *sum = all;
}

int main()
{
    const int n = 65;
    int *values, *sum, got = -1, want = 0;
    cudaMalloc(&values, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(values, 0, n * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    parent<<<1, 1>>>(values, n, sum);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("failed: %s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(&got, sum, sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) want += i * i;
    printf("sum of squares %d, expected %d\n", got, want);
    cudaFree(values);
    cudaFree(sum);
    return got != want;
}
