// says: Without a fence the later write can come before the read (1), which then gives the new value.
// dice: Sin fence, la escritura posterior puede adelantarse a la lectura (1), que da entonces el valor nuevo.
// never: old value
// never: valor antiguo
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int slot;
    __shared__ volatile int read;
    if (threadIdx.x == 0) {
        slot = 1;
        read = 0;
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        *out = slot;
        __threadfence_block();
        read = 1;
    }
    if (threadIdx.x == 0) {
        while (read == 0) {
        }
        slot = 2;
    }
}
int main() {
    int *out, host;
    cudaMalloc(&out, sizeof host);
    k<<<1, 64>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
