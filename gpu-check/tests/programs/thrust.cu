// Thrust and CUB: a sort, a scan and a sum.
// prints: 0 99 4950 4851
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

int main()
{
    thrust::device_vector<int> data(100);
    for (int i = 0; i < 100; i++) data[i] = (i * 37) % 100;
    thrust::sort(data.begin(), data.end());
    printf("%d %d ", int(data[0]), int(data[99]));
    int *sum, host;
    size_t bytes = 0;
    cudaMalloc(&sum, sizeof(int));
    cub::DeviceReduce::Sum(nullptr, bytes, data.begin(), sum, 100);
    thrust::device_vector<char> room(bytes);
    cub::DeviceReduce::Sum(thrust::raw_pointer_cast(room.data()), bytes, data.begin(), sum, 100);
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d ", host);
    thrust::exclusive_scan(data.begin(), data.end(), data.begin());
    printf("%d\n", int(data[99]));
}
