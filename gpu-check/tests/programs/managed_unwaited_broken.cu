// Managed memory that is read while the kernel may run. The program ends without a wait.
// finds: race-global at 9
// prints: 0
#include <cstdio>

__global__ void twice(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = 2 * i;
}

int main()
{
    const int n = 100;
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    twice<<<1, 128>>>(data, n);
    printf("%d\n", data[n - 1]);
}
