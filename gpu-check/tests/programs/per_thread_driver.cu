// The driver API with a default stream for each host thread: its functions have other names then (`cuLaunchKernel_ptsz`).
// flags: -lcuda
// prints: two streams, 128 right
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main()
{
    const int n = 128;
    int host[n];
    for (int i = 0; i < n; i++) host[i] = i;
    cudaFree(nullptr);
    unsigned long long mine = 0, legacy = 0;
    cuStreamGetId(nullptr, &mine);
    cuStreamGetId(CU_STREAM_LEGACY, &legacy);

    CUdeviceptr data;
    cuMemAlloc(&data, sizeof host);
    cuMemcpyHtoD(data, host, sizeof host);
    CUfunction kernel;
    cudaGetFuncBySymbol(&kernel, (void*)twice);
    void* arguments[] = { &data };
    cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, arguments, nullptr);
    CUevent done;
    cuEventCreate(&done, CU_EVENT_DISABLE_TIMING);
    cuEventRecord(done, nullptr);
    cuStreamWaitEvent(CU_STREAM_LEGACY, done, 0);
    cuMemsetD32Async(data, 0, 1, CU_STREAM_LEGACY);
    cuStreamSynchronize(CU_STREAM_LEGACY);
    cuMemcpyDtoH(host, data, sizeof host);
    int right = 0;
    for (int i = 0; i < n; i++) right += host[i] == 2 * i;
    printf("%s, %d right\n", mine == legacy ? "one stream" : "two streams", right);
    cuMemFree(data);
    cuEventDestroy(done);
}
