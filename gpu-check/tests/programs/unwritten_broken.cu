// The host copies a whole array back, but the kernel has left out the last element.
// Most of the array was written: a note.
// notes: the host copies `out[99]`, which nothing has written
// prints: sum right
#include <cstdio>

__global__ void differences(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) out[i] = in[i + 1] - in[i];
}

int main()
{
    const int n = 100;
    int host[n], *in, *out;
    for (int i = 0; i < n; i++) host[i] = i * i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    differences<<<1, 128>>>(in, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; i++) sum += host[i];
    printf("sum %s\n", sum == (n - 1) * (n - 1) ? "right" : "wrong");
    cudaFree(in);
    cudaFree(out);
}
