// A bitonic sort in shared memory, with a barrier after each pass.
// prints: sorted
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define N 128

__global__ void bitonic_sort(unsigned* values)
{
    __shared__ unsigned s[N];
    const unsigned i = threadIdx.x;
    s[i] = values[i];
    __syncthreads();
    for (unsigned k = 2; k <= N; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = i ^ j;
            bool up = (i & k) == 0;
            if (other > i && (s[i] > s[other]) == up) { unsigned t = s[i]; s[i] = s[other]; s[other] = t; }
            __syncthreads();
        }
    }
    values[i] = s[i];
}

int main()
{
    unsigned h[N], sorted[N], *d;
    srand(1);
    for (int i = 0; i < N; i++) h[i] = sorted[i] = rand() % 1000;
    std::sort(sorted, sorted + N);

    if (cudaMalloc(&d, sizeof(h)) != cudaSuccess) { printf("no memory\n"); return 1; }
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    bitonic_sort<<<1, N>>>(d);
    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess) { printf("kernel: %s\n", cudaGetErrorString(err)); return 1; }
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(d);

    puts(std::equal(h, h + N, sorted) ? "sorted" : "not sorted");
    return 0;
}
