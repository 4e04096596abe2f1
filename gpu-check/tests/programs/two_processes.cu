// Two processes share memory and an event: each starts anew, as a forked one may not use CUDA.
// prints: child: opened, 128 right; parent: 128 right
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

const int n = 128;

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void add(int* data, int much) { data[threadIdx.x] += much; }

// A handle is passed on as text.
std::string text(const void* handle)
{
    std::string all;
    char two[3];
    for (int i = 0; i < 64; i++) {
        snprintf(two, sizeof two, "%02x", ((const unsigned char*)handle)[i]);
        all += two;
    }
    return all;
}

void bytes(void* handle, const char* text)
{
    for (int i = 0; i < 64; i++) ((unsigned char*)handle)[i] = (unsigned char)strtol(std::string(text + 2 * i, 2).c_str(), nullptr, 16);
}

int right(const int* data, int much)
{
    int host[n], count = 0;
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) count += host[i] == i + much;
    return count;
}

int child(char** handles)
{
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
    bytes(&memory, handles[1]);
    bytes(&event, handles[2]);
    int *data, *again;
    cudaEvent_t filled;
    if (cudaIpcOpenMemHandle((void**)&data, memory, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) return 1;
    cudaIpcOpenMemHandle((void**)&again, memory, cudaIpcMemLazyEnablePeerAccess);
    if (cudaIpcOpenEventHandle(&filled, event) != cudaSuccess) return 2;
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, data);
    cudaStreamWaitEvent(0, filled, 0);
    add<<<1, n>>>(data, 1000);
    printf("child: %s, %d right; ", data == again && attributes.type == cudaMemoryTypeDevice ? "opened" : "odd", right(data, 1000));
    bool is_closed = cudaIpcCloseMemHandle(data) == cudaSuccess && cudaIpcCloseMemHandle(data) == cudaSuccess
        && cudaIpcCloseMemHandle(data) != cudaSuccess;
    cudaEventDestroy(filled);
    return is_closed ? 0 : 3;
}

int main(int, char** arguments)
{
    if (arguments[1]) return child(arguments);
    int* data;
    cudaMalloc(&data, n * sizeof(int));
    cudaEvent_t filled;
    cudaEventCreateWithFlags(&filled, cudaEventInterprocess | cudaEventDisableTiming);
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
    cudaIpcGetMemHandle(&memory, data);
    cudaIpcGetEventHandle(&event, filled);
    fill<<<1, n>>>(data);
    cudaEventRecord(filled);

    std::string first = text(&memory), second = text(&event);
    pid_t started = vfork();
    if (started == 0) {
        execl("/proc/self/exe", arguments[0], first.c_str(), second.c_str(), nullptr);
        _exit(9);
    }
    int status = 1;
    waitpid(started, &status, 0);
    if (status != 0) printf("child ended with %d; ", status);
    printf("parent: %d right\n", right(data, 1000));
    // The memory is this process's own: it has it already.
    int* mine;
    if (cudaIpcOpenMemHandle((void**)&mine, memory, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess) printf("opened twice\n");
    cudaGetLastError();
    cudaEventDestroy(filled);
    cudaFree(data);
}
