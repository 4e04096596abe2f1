// says: data race on `s[0]`: no order between `k` and a `cudaMemcpy()` from pageable host memory
// says: `cudaMemcpy()` from pageable host memory may return before its transfer to the device has finished
// says: A stream made with `cudaStreamNonBlocking` does not wait for the default stream
// says: call `cudaStreamSynchronize(0)` after the copy
// dice: puede volver antes de que termine su transferencia al device
#include <cstdio>
#include <vector>
__global__ void k(int *d, const int *s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d[i] = s[i];
}
int main() {
    const int n = 1 << 10;
    std::vector<int> h(n, 3);
    int *a, *b;
    cudaMalloc(&a, 4 * n);
    cudaMalloc(&b, 4 * n);
    cudaStream_t st;
    cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking);
    cudaMemcpy(a, h.data(), 4 * n, cudaMemcpyHostToDevice);
    k<<<n / 256, 256, 0, st>>>(b, a, n);
    cudaStreamSynchronize(st);
}
