// says: data race on `q.length[1]`
// says: two equal writes race on `q.made`
// dice: condición de carrera en `q.length[1]`
// never: q[
#include <cstdio>
struct Queue {
    int made, used, length[2];
};
__global__ void k(const int *in, int *out) {
    __shared__ Queue q;
    if (threadIdx.x < 2) {
        q.length[threadIdx.x] = in[threadIdx.x];
        q.made = 2;
        q.used = 0;
    }
    __syncthreads();
    if (threadIdx.x == 64) {
        q.length[1] = in[2];
    }
    out[threadIdx.x] = q.length[threadIdx.x % q.made];
}
int main() {
    int host[96] = {1, 2, 3}, *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 96>>>(in, out);
    cudaDeviceSynchronize();
}
