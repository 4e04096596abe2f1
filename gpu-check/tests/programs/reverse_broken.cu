// One block turns an array round in shared memory, with no barrier in between.
// finds: race-shared at 11, 12
#include <cstdio>

constexpr int N = 64;

__global__ void reverse(int* data)
{
    __shared__ int tile[N];
    int i = threadIdx.x;
    tile[i] = data[i];
    data[i] = tile[N - 1 - i];
}

int main()
{
    int host[N], *data;
    for (int i = 0; i < N; i++) host[i] = i;
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, N>>>(data);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[N - 1]);
    cudaFree(data);
}
// other size: N = 64 => N = 96
