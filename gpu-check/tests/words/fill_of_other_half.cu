// The late fill is of the other half: what the kernel reads stays unwritten.
// says: error[undefined-value]: an atomic operation depends on `a[0]`
// says: data race on `a[32]`: no order between `add` and a fill
// dice: error[undefined-value]
#include <cstdio>
__global__ void add(int *a) {
    atomicAdd(&a[threadIdx.x], 1);
    a[threadIdx.x + 32] = 2;
}
int main() {
    int *a;
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc(&a, 256);
    cudaMemset(a + 32, 0, 128);
    add<<<1, 32, 0, s>>>(a);
    cudaStreamSynchronize(s);
    cudaDeviceSynchronize();
}
