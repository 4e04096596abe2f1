// Wild pointers and handles for many functions. A GPU's runtime may crash here; the check answers with errors.
// prints: refused 36 of 36, fine 42
#include <cstdio>
#include <cstdint>

__global__ void set(int* data) { *data = 42; }

int asked, refused;

void ask(const char* what, cudaError_t error)
{
    asked++;
    if (error != cudaSuccess) refused++;
    else printf("%s succeeded, ", what);
    cudaGetLastError();
}
#define ASK(call) ask(#call, call)

int main()
{
    int *data, host = 0, value;
    float ms;
    size_t bytes;
    void* address;
    cudaMalloc(&data, 4);
    cudaStream_t gone, odd = (cudaStream_t)0x1234567, wild = (cudaStream_t)0xdeadbeef0;
    cudaEvent_t event = (cudaEvent_t)0x77777, real, dead;
    cudaEventCreate(&real);
    cudaEventCreate(&dead);
    cudaEventDestroy(dead);
    cudaStreamCreate(&gone);
    cudaStreamDestroy(gone);
    void* nowhere = (void*)0x10;
    for (cudaStream_t stream : {gone, odd, wild}) {
        ASK(cudaStreamSynchronize(stream));
        ASK(cudaStreamQuery(stream));
        ASK(cudaStreamDestroy(stream));
        ASK(cudaMemcpyAsync(data, &host, 4, cudaMemcpyHostToDevice, stream));
        ASK(cudaMemsetAsync(data, 0, 4, stream));
        ASK(cudaEventRecord(real, stream));
        set<<<1, 1, 0, stream>>>(data);
        ASK(cudaGetLastError());
    }
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventElapsedTime(&ms, dead, real));
    ASK(cudaStreamWaitEvent(0, dead, 0));
    ASK(cudaMalloc((int**)nullptr, 4));
    ASK(cudaFuncSetAttribute(nowhere, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    ASK(cudaMemcpyToSymbol(nowhere, &value, 4));
    ASK(cudaGetSymbolAddress(&address, nowhere));
    ASK(cudaLaunchKernel(nowhere, dim3(1), dim3(1), nullptr, 0, 0));
    ASK(cudaMemcpy(data, (void*)0x7fff00000000ull, 1ull << 40, cudaMemcpyDeviceToDevice));
    ASK(cudaGetSymbolSize(&bytes, nowhere));
    ASK(cudaHostUnregister(nowhere));
    ASK(cudaFreeAsync(nowhere, 0));
    ASK(cudaStreamCreate(nullptr));
    ASK(cudaGetDeviceProperties(nullptr, 0));
    ASK(cudaMalloc(&address, ~size_t(0)));
    printf("refused %d of %d, ", refused, asked);

    set<<<1, 1>>>(data);
    cudaError_t error = cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost);
    printf("%s %d\n", error == cudaSuccess ? "fine" : cudaGetErrorName(error), host);
    cudaEventDestroy(real);
    cudaFree(data);
}
