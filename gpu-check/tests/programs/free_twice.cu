// A buffer that one owner frees: the class can be moved and not copied.
// prints: sum 2016
#include <cstdio>
#include <utility>

class Buffer {
public:
    explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(int)); }
    Buffer(Buffer&& other) : data(std::exchange(other.data, nullptr)) {}
    ~Buffer() { cudaFree(data); }
    int* data;
};

__global__ void iota(int* data) { data[threadIdx.x] = threadIdx.x; }

int sum(Buffer buffer, int n)
{
    int host[64], all = 0;
    cudaMemcpy(host, buffer.data, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) all += host[i];
    return all;
}

int main()
{
    Buffer buffer(64);
    iota<<<1, 64>>>(buffer.data);
    printf("sum %d\n", sum(std::move(buffer), 64));
}
