// Two host threads use their default streams on one buffer. Nothing orders the two streams.
// flags: --default-stream per-thread
// finds: race-global at 8, 9
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
