// Constant memory, __device__ variables and arrays, copied by symbol in both directions, in part, and by address.
// prints: filtered 96, 5 launches, table 3 of 8, address ok
#include <cstdio>
#include <cstring>

#define CUDA_OK(x) do { cudaError_t r = (x); if (r != cudaSuccess) { \
    printf("%d: %s\n", __LINE__, cudaGetErrorName(r)); return 1; } } while (0)

struct Settings {
    float scale;
    int shift;
};

__constant__ float weights[5];
__constant__ Settings settings = {1.0f, 100};
__device__ int launches = 2;
__device__ short table[8] = {1, 2, 3};

__global__ void filter(const float* in, float* out, int n)
{
    int i = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 5; k++) sum += weights[k] * in[(i + k) % n];
    out[i] = sum * settings.scale + settings.shift;
    if (i == 0) launches++;
}

int main()
{
    const int n = 32;
    float in[n], out[n], h_weights[5] = {0.5f, 1, 2, 1, 0.5f}, *d_in, *d_out;
    for (int i = 0; i < n; i++) in[i] = float(i % 4);
    CUDA_OK(cudaMalloc(&d_in, sizeof in));
    CUDA_OK(cudaMalloc(&d_out, sizeof out));
    CUDA_OK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemcpyToSymbol(weights, h_weights, sizeof h_weights));
    for (int run = 0; run < 3; run++) {
        Settings s = {float(run), -run};
        CUDA_OK(cudaMemcpyToSymbol(settings, &s, sizeof s, 0, cudaMemcpyHostToDevice));
        filter<<<1, n>>>(d_in, d_out, n);
        CUDA_OK(cudaGetLastError());
    }
    CUDA_OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    int right = 0;
    for (int i = 0; i < n; i++) {
        float want = 0;
        for (int k = 0; k < 5; k++) want += h_weights[k] * in[(i + k) % n];
        right += out[i] == want * 2 - 2;
    }
    int count = 0;
    short part[2] = {7, 8}, whole[8];
    CUDA_OK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
    CUDA_OK(cudaMemcpyToSymbol(table, part, sizeof part, 6 * sizeof(short)));
    short* address;
    size_t bytes;
    CUDA_OK(cudaGetSymbolAddress((void**)&address, table));
    CUDA_OK(cudaGetSymbolSize(&bytes, table));
    CUDA_OK(cudaMemcpy(whole, address, bytes, cudaMemcpyDeviceToHost));
    const short want[8] = {1, 2, 3, 0, 0, 0, 7, 8};
    printf("filtered %d, %d launches, table %d of %zu, address %s\n", 3 * right, count, whole[2], bytes / sizeof(short),
           memcmp(whole, want, sizeof want) == 0 ? "ok" : "wrong");
    CUDA_OK(cudaFree(d_in));
    CUDA_OK(cudaFree(d_out));
}
