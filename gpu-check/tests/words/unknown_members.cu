// A structure with a function is not laid out: bytes are told, and no index.
// says: data race on byte 12 of `q`
// dice: condición de carrera en el byte 12 de `q`
// never: q[
#include <cstdio>
struct Queue {
    int made, used, length[2];
    __device__ int sum() const { return length[0] + length[1]; }
};
__global__ void k(const int *in, int *out) {
    __shared__ Queue q;
    if (threadIdx.x < 2) {
        q.length[threadIdx.x] = in[threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x == 64) {
        q.length[1] = in[2];
    }
    out[threadIdx.x] = q.sum();
}
int main() {
    int host[96] = {1, 2, 3}, *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 96>>>(in, out);
    cudaDeviceSynchronize();
}
