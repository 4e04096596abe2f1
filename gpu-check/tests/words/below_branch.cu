// One thread writes in a branch, and all read below it: the place of the barrier is one line.
// says: `__syncthreads()` before line 12, reached by every thread of the block
// dice: `__syncthreads()` antes de la línea 12
// never: between the two branches
// never: entre las dos ramas
#include <cstdio>
__global__ void k(const int *in, int *out) {
    __shared__ int total;
    if (threadIdx.x == 127) {
        total = in[5];
    }
    if (total == 0) {
        return;
    }
    out[threadIdx.x] = total;
}
int main() {
    int host[128], *in, *out;
    for (int i = 0; i < 128; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
}
