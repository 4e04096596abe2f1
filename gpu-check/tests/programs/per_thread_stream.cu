// Two host threads, each with a default stream of its own, and an event where one needs the other's result.
// flags: --default-stream per-thread
// prints: 0 errors, 128 right
#include <cstdio>
#include <future>
#include <thread>

__global__ void produce(int* data) { data[threadIdx.x] = threadIdx.x + 1; }
__global__ void consume(const int* data, int* out) { out[threadIdx.x] = 10 * data[threadIdx.x]; }

int main()
{
    const int n = 128;
    int *data, *out, host[n];
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(data, 0, sizeof host);
    cudaMemset(out, 0, sizeof host);
    cudaDeviceSynchronize();

    cudaEvent_t produced;
    cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
    std::promise<void> launched;
    int errors = 0;
    std::thread first([&] {
        produce<<<1, n>>>(data);
        cudaEventRecord(produced);
        errors += cudaGetLastError() != cudaSuccess;
        launched.set_value();
    });
    std::thread second([&] {
        launched.get_future().wait();
        cudaStreamWaitEvent(cudaStreamPerThread, produced, 0);
        consume<<<1, n>>>(data, out);
        cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost);
        errors += cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess;
    });
    first.join();
    second.join();
    int right = 0;
    for (int i = 0; i < n; i++) right += host[i] == 10 * (i + 1);
    printf("%d errors, %d right\n", errors, right);
    cudaEventDestroy(produced);
    cudaFree(data);
    cudaFree(out);
}
