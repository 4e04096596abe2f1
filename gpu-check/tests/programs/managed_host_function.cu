// A host function between two kernels of a stream: it touches managed memory in its turn, and nobody need wait for it.
// prints: the host saw 42, the kernel made 86
#include <chrono>
#include <cstdio>
#include <thread>

__global__ void twice(int* value) { *value *= 2; }

static int seen = 0;

void add_one(void* value)
{
    // The next kernel is queued meanwhile.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    seen = *(int*)value;
    *(int*)value += 1;
}

int main()
{
    int* value;
    cudaMallocManaged(&value, sizeof *value);
    *value = 21;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    twice<<<1, 1, 0, stream>>>(value);
    cudaLaunchHostFunc(stream, add_one, value);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    twice<<<1, 1, 0, stream>>>(value);
    while (cudaStreamQuery(stream) == cudaErrorNotReady) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    printf("the host saw %d, the kernel made %d\n", seen, *value);
    cudaStreamDestroy(stream);
    cudaFree(value);
}
