// A vectorised sum of an array with a header: single floats up to the first aligned address.
// prints: PASS
#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(f) do { cudaError_t e = (f); if (e != cudaSuccess) { \
    printf("%s: %s\n", #f, cudaGetErrorName(e)); exit(2); } } while (false)

__global__ void sum4(const float* x, int n, float* out)
{
    float sum = 0;
    // The first elements, one at a time.
    while (n > 0 && (size_t)x % sizeof(float4) != 0) {
        if (threadIdx.x == 0) sum += *x;
        x++, n--;
    }
    const float4* x4 = reinterpret_cast<const float4*>(x);
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
        float4 v = x4[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (threadIdx.x == 0)
        for (int i = n / 4 * 4; i < n; i++) sum += x[i];
    atomicAdd(out, sum);
}

int main()
{
    const int header = 2, n = 1001;
    float host[header + n], *data, *out, got;
    for (int i = 0; i < header + n; i++) host[i] = i < header ? -1 : 1;
    CHECK_CUDA(cudaMalloc(&data, sizeof host));
    CHECK_CUDA(cudaMalloc(&out, sizeof(float)));
    CHECK_CUDA(cudaMemset(out, 0, sizeof(float)));
    CHECK_CUDA(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    sum4<<<1, 64>>>(data + header, n, out);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    puts(got == n ? "PASS" : "FAIL");
    CHECK_CUDA(cudaFree(data));
    CHECK_CUDA(cudaFree(out));
}
