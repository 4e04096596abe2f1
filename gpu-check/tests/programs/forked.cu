// A process that was forked cannot use CUDA, and its end runs nothing of its parent's. A host function may end the program.
// prints: child cudaErrorInitializationError launched
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void say()
{
    printf("launched\n");
}

int main()
{
    int* data;
    cudaMalloc(&data, 4);
    say<<<1, 1>>>();
    if (fork() == 0) {
        printf("child %s\n", cudaGetErrorName(cudaMalloc(&data, 4)));
        exit(0);
    }
    wait(nullptr);
    cudaLaunchHostFunc(0, [](void*) { exit(0); }, nullptr);
    cudaDeviceSynchronize();
}
