// The block that finishes last adds up what all blocks have written. No fence orders the parts before the counter.
// finds: race-global at 30, 35
#include <cmath>
#include <cstdio>
#include <vector>

#define THREADS 128

__device__ unsigned int finished = 0;

__device__ float block_sum(float value)
{
    __shared__ float s[THREADS];
    s[threadIdx.x] = value;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    }
    __syncthreads();
    float sum = s[0];
    __syncthreads();
    return sum;
}

__global__ void sum(const float* in, float* parts, float* out)
{
    __shared__ bool last;
    float part = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part;
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        float all = block_sum(threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) {
            *out = all;
            finished = 0;
        }
    }
}

int main()
{
    const int blocks = 12, n = blocks * THREADS;
    std::vector<float> h(n);
    double want = 0;
    for (int i = 0; i < n; i++) want += h[i] = (i % 4) * 0.4440104f;
    float *in, *parts, *out, got = 0;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&parts, blocks * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sum<<<blocks, THREADS>>>(in, parts, out);
    cudaMemcpy(&got, out, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    printf("%.0f %s %.0f\n", got, std::fabs(got - want) < 0.1 ? "=" : "!=", want);
    cudaFree(in), cudaFree(parts), cudaFree(out);
    return 0;
}
// other size: blocks = 12 => blocks = 5
