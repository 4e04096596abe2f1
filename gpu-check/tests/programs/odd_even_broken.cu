// An odd-even sort over several blocks in one launch. A barrier of each block is no barrier of the grid.
// finds: race-global at 16, 24
#include <algorithm>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <vector>

void check(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

__device__ void compare_and_swap(int* v, int left)
{
    if (v[left] > v[left + 1]) { int t = v[left]; v[left] = v[left + 1]; v[left + 1] = t; }
}

__global__ void odd_even_sort(int* v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int phase = 0; phase < n; phase++) {
        int left = 2 * i + phase % 2;
        if (left + 1 < n) compare_and_swap(v, left);
        __syncthreads();
    }
}

int main()
try {
    const int n = 128;
    std::vector<int> h(n);
    std::mt19937 engine(7);
    for (int& value : h) value = engine() % 500;
    std::vector<int> want = h;
    std::sort(want.begin(), want.end());

    int* d;
    check(cudaMalloc(&d, n * sizeof(int)));
    check(cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    odd_even_sort<<<2, n / 4>>>(d, n);
    check(cudaGetLastError());
    check(cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
    check(cudaFree(d));
    printf("%d values: %s\n", n, h == want ? "OK" : "WRONG");
    return 0;
} catch (const std::exception& e) {
    printf("CUDA: %s\n", e.what());
    return 1;
}
