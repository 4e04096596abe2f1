// A later launch of the kernel has several warps: what holds one warp together is no fix.
// says: fix (tried, no finding in 18 runs
// says: add `__syncthreads();` before line 13
// dice: `__syncthreads();`
// never: __syncwarp
#include <cstdio>

__global__ void shift(int* out)
{
    extern __shared__ int tile[];
    int i = threadIdx.x;
    tile[i] = i;
    out[i] = i == 0 ? 0 : tile[i - 1];
}

int main()
{
    int* out;
    cudaMalloc(&out, 128 * sizeof(int));
    for (int threads = 32; threads <= 128; threads *= 2) {
        shift<<<1, threads, threads * sizeof(int)>>>(out);
        cudaDeviceSynchronize();
    }
    cudaFree(out);
}
