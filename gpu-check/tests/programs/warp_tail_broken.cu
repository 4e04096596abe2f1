// A sum whose last warp goes on without any barrier, as if its lanes ran in lockstep.
// finds: race-shared at 19, 33
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

static void check(cudaError_t err, const char* what)
{
    if (err != cudaSuccess) {
        std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(err));
        std::exit(1);
    }
}

__device__ void warp_reduce(int* sdata, int tid)
{
    for (int s = 32; s > 0; s >>= 1)
        sdata[tid] += sdata[tid + s];
}

__global__ void reduce(const int* g_in, int* g_out)
{
    extern __shared__ int sdata[];
    int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_in[i] + g_in[i + blockDim.x];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) warp_reduce(sdata, tid);
    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

int main()
{
    const int n = 2048, threads = 256, blocks = n / (2 * threads);
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    int cpu = std::accumulate(h.begin(), h.end(), 0);

    int *d_in, *d_out;
    check(cudaMalloc((void**)&d_in, n * sizeof(int)), "cudaMalloc");
    check(cudaMalloc((void**)&d_out, blocks * sizeof(int)), "cudaMalloc");
    check(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice), "copy to the device");
    reduce<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out);
    check(cudaGetLastError(), "launch");

    std::vector<int> parts(blocks);
    check(cudaMemcpy(parts.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
    int gpu = std::accumulate(parts.begin(), parts.end(), 0);
    std::printf("gpu %d cpu %d %s\n", gpu, cpu, gpu == cpu ? "PASSED" : "FAILED");
    cudaFree(d_in);
    cudaFree(d_out);
    return gpu == cpu ? 0 : 1;
}
