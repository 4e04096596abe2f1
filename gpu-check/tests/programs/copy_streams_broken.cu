// A kernel in one stream overwrites the buffer that a copy in another stream still fills.
// finds: race-global at 17
#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
}

__global__ void increment(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i]++;
}

int main()
{
    const int n = 300;
    int *pinned, *data;
    gpuErrchk(cudaMallocHost(&pinned, n * sizeof(int)));
    gpuErrchk(cudaMalloc(&data, n * sizeof(int)));
    gpuErrchk(cudaMemset(data, 0, n * sizeof(int)));
    gpuErrchk(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) pinned[i] = 10 * i;

    cudaStream_t copies, kernels;
    gpuErrchk(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    gpuErrchk(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    gpuErrchk(cudaMemcpyAsync(data, pinned, n * sizeof(int), cudaMemcpyHostToDevice, copies));
    increment<<<(n + 127) / 128, 128, 0, kernels>>>(data, n);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpyAsync(pinned, data, n * sizeof(int), cudaMemcpyDeviceToHost, kernels));
    gpuErrchk(cudaStreamSynchronize(kernels));
    gpuErrchk(cudaStreamSynchronize(copies));

    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (pinned[i] != 10 * i + 1) wrong++;
    if (wrong) printf("%d values, %d wrong\n", n, wrong);
    else printf("%d values, all right\n", n);
    gpuErrchk(cudaStreamDestroy(copies));
    gpuErrchk(cudaStreamDestroy(kernels));
    gpuErrchk(cudaFreeHost(pinned));
    gpuErrchk(cudaFree(data));
}
