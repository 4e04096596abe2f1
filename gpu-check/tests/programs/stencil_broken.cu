// A stencil whose barrier only the threads inside the array reach.
// finds: barrier-divergence at 26, 31
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 3
#define BLOCK_SIZE 128

#define cudaCheck(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char* file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "cudaCheck: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

// `in` has RADIUS elements more on each side; `out` is filled up to whole blocks.
__global__ void stencil_1d(const int* in, int* out, int n)
{
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int l = threadIdx.x + RADIUS;
    int result = 0;

    if (g < n) {
        temp[l] = in[g + RADIUS];
        if (threadIdx.x < RADIUS) temp[l - RADIUS] = in[g];
        if (threadIdx.x == blockDim.x - 1 || g == n - 1)
            for (int k = 1; k <= RADIUS; k++) temp[l + k] = in[g + RADIUS + k];
        __syncthreads();
        for (int k = -RADIUS; k <= RADIUS; k++) result += temp[l + k];
    }
    out[g] = result;
}

int main(void)
{
    const int n = 1000;
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    int *h_in = (int*)malloc((n + 2 * RADIUS) * sizeof(int));
    int *h_out = (int*)malloc(n * sizeof(int));
    int *d_in, *d_out;

    for (int i = 0; i < n + 2 * RADIUS; i++) h_in[i] = i % 17;
    cudaCheck(cudaMalloc((void**)&d_in, (n + 2 * RADIUS) * sizeof(int)));
    cudaCheck(cudaMalloc((void**)&d_out, blocks * BLOCK_SIZE * sizeof(int)));
    cudaCheck(cudaMemcpy(d_in, h_in, (n + 2 * RADIUS) * sizeof(int), cudaMemcpyHostToDevice));

    stencil_1d<<<blocks, BLOCK_SIZE>>>(d_in, d_out, n);
    cudaCheck(cudaPeekAtLastError());
    cudaCheck(cudaMemcpy(h_out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost));

    int right = 0;
    for (int i = 0; i < n; i++) {
        int want = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) want += h_in[i + k];
        right += h_out[i] == want;
    }
    printf("%d of %d right\n", right, n);
    free(h_in);
    free(h_out);
    cudaCheck(cudaFree(d_in));
    cudaCheck(cudaFree(d_out));
    return 0;
}
