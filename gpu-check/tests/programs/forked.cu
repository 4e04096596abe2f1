// A process that was forked after its parent had begun with CUDA cannot use it, by the runtime or by the driver, and its end runs
// nothing of its parent's. One that was forked before can. A host function may end the program.
// prints: early no error, driver 3 3, child cudaErrorInitializationError launched
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void say()
{
    printf("launched\n");
}

template <typename F> static void in_child(F call)
{
    if (fork() == 0) {
        call();
        exit(0);
    }
    wait(nullptr);
}

int main()
{
    in_child([] {
        int* data;
        printf("early %s, ", cudaGetErrorString(cudaMalloc(&data, 4)));
    });
    int* data;
    cudaMalloc(&data, 4);
    say<<<1, 1>>>();
    in_child([] {
        void* driver = dlopen("libcuda.so.1", RTLD_NOW);
        auto init = (int (*)(unsigned))dlsym(driver, "cuInit");
        auto current = (int (*)(void**))dlsym(driver, "cuCtxGetCurrent");
        void* context;
        printf("driver %d %d, ", current(&context), init(0));
    });
    in_child([] {
        int* data;
        printf("child %s\n", cudaGetErrorName(cudaMalloc(&data, 4)));
    });
    cudaLaunchHostFunc(0, [](void*) { exit(0); }, nullptr);
    cudaDeviceSynchronize();
}
