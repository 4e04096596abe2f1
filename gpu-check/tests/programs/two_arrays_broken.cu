// Two arrays in one block of shared memory: the second begins 8 words after the first, which has 64.
// finds: race-shared at 13, 14
#include <cstdio>

const int N = 64;

__global__ void add_index(const long long* x, long long* out, int words)
{
    extern __shared__ __align__(8) int mem[];
    int* index = mem;
    long long* value = (long long*)(mem + words);
    int t = threadIdx.x;
    value[t] = x[t];
    index[t] = t;
    __syncthreads();
    out[t] = value[t] + index[t];
}

int main()
{
    long long h[N], *x, *out;
    for (int i = 0; i < N; i++) h[i] = 1000 * i;
    cudaMalloc(&x, sizeof(h));
    cudaMalloc(&out, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
    const int words = 8;
    add_index<<<1, N, N * sizeof(long long) + N * sizeof(int)>>>(x, out, words);
    cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(out);
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += h[i] != 1001 * i;
    printf("%s\n", wrong ? "wrong" : "all right");
    return 0;
}
