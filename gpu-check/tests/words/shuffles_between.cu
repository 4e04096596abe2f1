// Shuffles of another file come between the calls of a function that has its barrier in the middle.
// says: of the next call
// dice: de la siguiente llamada
// never: no `__syncwarp()` between a write and a read
#include <cstdio>
#line 1 "butterfly.cuh"
__device__ float butterfly(float value, int distance)
{
    return __shfl_xor_sync(0xffffffff, value, distance);
}
#line 12 "shuffles_between.cu"

__device__ __forceinline__ float turn_round(float value)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = value;
    __syncwarp();
    return tile[31 - threadIdx.x];
}

__global__ void twice(float* data)
{
    float value = turn_round(data[threadIdx.x]);
#pragma unroll 1
    for (int round = 0; round < 20; round++) value += butterfly(value, 1 + round % 31);
    data[threadIdx.x] = turn_round(value);
}

int main()
{
    float* data;
    cudaMalloc(&data, 32 * sizeof(float));
    cudaMemset(data, 0, 32 * sizeof(float));
    twice<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
