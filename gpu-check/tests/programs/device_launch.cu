// A kernel that launches another, and what host and device print, in order.
// flags: -rdc=true
// prints: host parent child 0 child 1 host again
#include <cstdio>

__global__ void child()
{
    printf("child %d\n", threadIdx.x);
}

__global__ void parent()
{
    printf("parent\n");
    child<<<1, 2>>>();
}

int main()
{
    printf("host\n");
    parent<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("host again\n");
}
