// Counts bytes by their value, without atomics.
// finds: race-global at 10
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void count(const unsigned char* text, int n, unsigned* bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bins[text[i] % 8] += 1;
}

int main()
{
    const int n = 1000;
    std::vector<unsigned char> text(n);
    for (int i = 0; i < n; i++) text[i] = i * 7 % 251;
    unsigned char* from;
    unsigned *bins, host[8];
    if (cudaMalloc(&from, n) != cudaSuccess || cudaMalloc(&bins, sizeof host) != cudaSuccess) return 1;
    cudaMemcpy(from, text.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof host);
    count<<<4, 96>>>(from, n, bins);
    cudaMemcpy(host, bins, sizeof host, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (unsigned bin : host) sum += bin;
    printf("%s\n", sum == n ? "all counted" : "some lost");
    cudaFree(from);
    cudaFree(bins);
}
// other size: n = 1000 => n = 1537
