// Another name of a type, and a template's parameter, are numbers.
// says: data race on `a[32]`
// says: data race on `b[32]`
// dice: condición de carrera en `b[32]`
#include <cstdio>
using real = float;
template <typename T> __global__ void k(const T *in, T *out) {
    __shared__ real a[64];
    __shared__ T b[64];
    a[threadIdx.x] = in[threadIdx.x];
    b[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = a[63 - threadIdx.x];
    out[threadIdx.x] += b[63 - threadIdx.x];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    k<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
}
