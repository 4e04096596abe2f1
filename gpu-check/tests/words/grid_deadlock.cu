// Block 2 calls `grid.sync()` once more than the others.
// says: error[deadlock]: block 2 waits at `grid.sync()`, but blocks 0, 1 and 3 have ended
// dice: el bloque 2 espera en `grid.sync()`, pero los bloques 0, 1 y 3 han terminado
#include <cooperative_groups.h>
#include <cstdio>
__global__ void k(int *out) {
    for (int i = 0; i < 1 + (blockIdx.x == 2); i++) {
        cooperative_groups::this_grid().sync();
    }
    *out = 1;
}
int main() {
    int *out;
    cudaMalloc(&out, sizeof(int));
    void *args[] = {&out};
    cudaLaunchCooperativeKernel((void *)k, dim3(4), dim3(64), args, 0, 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
