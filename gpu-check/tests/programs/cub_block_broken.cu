// CUB's block sum twice with the same temporary storage, and no barrier between.
// finds: race-shared at 13
#include <cstdio>
#include <cub/block/block_reduce.cuh>

template <int THREADS>
__global__ void moments(const float* values, float* mean, float* variance)
{
    using BlockReduce = cub::BlockReduce<float, THREADS>;
    __shared__ typename BlockReduce::TempStorage temp;
    float value = values[threadIdx.x];
    float sum = BlockReduce(temp).Sum(value);
    float squares = BlockReduce(temp).Sum(value * value);
    if (threadIdx.x == 0) {
        float m = sum / THREADS;
        *mean = m;
        *variance = squares / THREADS - m * m;
    }
}

int main()
{
    constexpr int n = 128;
    float host[n], *values, *results, got[2];
    double mean = 0, variance = 0;
    for (int i = 0; i < n; i++) mean += host[i] = i;
    mean /= n;
    for (float v : host) variance += (v - mean) * (v - mean) / n;

    cudaMalloc(&values, sizeof host);
    cudaMalloc(&results, sizeof got);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    moments<n><<<1, n>>>(values, results, results + 1);
    cudaError_t status = cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        return 1;
    }
    if (got[0] == float(mean) && got[1] == float(variance))
        printf("mean %g, variance %g\n", got[0], got[1]);
    else
        printf("mean %g instead of %g, variance %g instead of %g\n", got[0], mean, got[1], variance);
    cudaFree(values);
    cudaFree(results);
}
