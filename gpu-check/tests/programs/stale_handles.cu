// Handles and pointers that were destroyed or never existed: each call gives an error, and the program goes on.
// prints: free inside cudaErrorInvalidValue, free host cudaErrorInvalidValue, free null cudaSuccess, copy from freed cudaErrorInvalidValue, set freed cudaErrorInvalidValue, copy past the end cudaErrorInvalidValue, destroyed event cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle, null event cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle, fine 42
#include <cstdio>
#include <cstdlib>

__global__ void set(int* data) { *data = 42; }

#define SAY(what, call) printf("%s %s, ", what, cudaGetErrorName(call))

int main()
{
    int *data, *other, host[16];
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&other, sizeof host);
    cudaFree(data);
    SAY("free inside", cudaFree(other + 1));
    SAY("free host", cudaFree(host));
    SAY("free null", cudaFree(nullptr));
    SAY("copy from freed", cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    SAY("set freed", cudaMemset(data, 0, 4));
    SAY("copy past the end", cudaMemcpy(other, host, 1 << 26, cudaMemcpyHostToDevice));

    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventDestroy(event);
    printf("destroyed event %s ", cudaGetErrorName(cudaEventQuery(event)));
    printf("%s, ", cudaGetErrorName(cudaEventRecord(event)));
    printf("null event %s ", cudaGetErrorName(cudaEventQuery(nullptr)));
    printf("%s ", cudaGetErrorName(cudaEventRecord(nullptr)));
    printf("%s, ", cudaGetErrorName(cudaEventDestroy(nullptr)));

    cudaGetLastError();
    set<<<1, 1>>>(other);
    cudaError_t error = cudaMemcpy(host, other, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s %d\n", error == cudaSuccess ? "fine" : cudaGetErrorName(error), host[0]);
    cudaFree(other);
}
