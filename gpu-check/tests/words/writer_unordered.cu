// The kernel that writes is in another stream and runs later.
// says: race-global
// dice: race-global
// never: undefined-value
#include <cstdio>
__global__ void make(int *a) { a[threadIdx.x] = 7; }
__global__ void use(const int *a, int *out) { out[threadIdx.x] = a[threadIdx.x] > 3 ? 1 : 2; }
int main() {
    int *a, *out, host[32];
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&a, 128);
    cudaMalloc(&out, 128);
    make<<<1, 32, 0, s>>>(a);
    use<<<1, 32, 0, t>>>(a, out);
    cudaStreamSynchronize(t);
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
    printf("%d\n", host[5]);
}
