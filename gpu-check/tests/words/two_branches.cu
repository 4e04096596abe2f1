// The accesses are in the two branches of one `if`: no line is below both.
// says: `__syncthreads()` between the two branches
// dice: `__syncthreads()` entre las dos ramas
#include <cstdio>
__global__ void k(const int *in, int *out) {
    __shared__ int total;
    if (threadIdx.x == 127) {
        total = in[5];
    } else {
        out[threadIdx.x] = total;
    }
}
int main() {
    int host[128] = {}, *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
}
