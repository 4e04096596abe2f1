// Half a warp shuffles with the mask of the whole warp, while the other half waits for it at a warp barrier.
// finds: mask-mismatch at 12, 17
#include <cstdio>

__global__ void halves(const float* in, float* out)
{
    __shared__ float result[32];
    int lane = threadIdx.x;
    float value = in[lane];
    if (lane < 16) {
        for (int step = 8; step > 0; step >>= 1)
            value += __shfl_xor_sync(0xffffffff, value, step);
        result[lane] = value;
    } else {
        result[lane] = 2 * value;
    }
    __syncwarp();
    out[lane] = result[31 - lane];
}

int main()
{
    float host[32], *in, *out;
    for (int i = 0; i < 32; i++) host[i] = 1.0f;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    halves<<<1, 32>>>(in, out);
    cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    int doubled = 0, summed = 0;
    for (int i = 0; i < 16; i++) doubled += host[i] == 2, summed += host[16 + i] == 16;
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    printf("%d doubled, %d summed: %s\n", doubled, summed, doubled + summed == 32 ? "right" : "wrong");
    cudaFree(in);
    cudaFree(out);
}
