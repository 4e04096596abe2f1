// A kernel in a stream that does not wait for the fill, which runs too late. The race is the bug, and not the values.
// says: data race on `a[0]`: no order between `add` and a fill
// says: (1) thread 0 (warp 0) writes it in `add`
// dice: condición de carrera en `a[0]`: no hay orden entre `add` y un relleno de memoria
// never: undefined-value
#include <cstdio>
__global__ void add(int *a) { atomicAdd(&a[threadIdx.x], 1); }
int main() {
    int *a, host[32];
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc(&a, sizeof host);
    cudaMemset(a, 0, sizeof host);
    add<<<1, 32, 0, s>>>(a);
    cudaStreamSynchronize(s);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[5]);
}
