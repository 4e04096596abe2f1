// The program ends without waiting for its kernel; an exit handler still calls CUDA.
// finds: out-of-bounds at 10
#include <cstdio>
#include <cstdlib>

int* data;

__global__ void beyond(int* data)
{
    data[threadIdx.x + 1] = 1;
}

int main()
{
    atexit([] { cudaFree(data); });
    cudaMalloc(&data, 32 * sizeof(int));
    beyond<<<1, 32>>>(data);
}
