// An inclusive scan after Hillis and Steele, with two buffers in shared memory.
// prints: the scan is right: 256 elements, the last is 1140
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call)                                                                      \
    do {                                                                                      \
        cudaError_t error_ = (call);                                                          \
        if (error_ != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));   \
            exit(EXIT_FAILURE);                                                               \
        }                                                                                     \
    } while (0)

constexpr int N = 256;

__global__ void inclusive_scan(const int* in, int* out)
{
    __shared__ int temp[2][N];
    int tid = threadIdx.x;
    int now = 0;
    temp[now][tid] = in[tid];
    __syncthreads();
    for (int offset = 1; offset < N; offset *= 2) {
        int sum = temp[now][tid];
        if (tid >= offset)
            sum += temp[now][tid - offset];
        now = 1 - now;
        temp[now][tid] = sum;
        __syncthreads();
    }
    out[tid] = temp[now][tid];
}

int main()
{
    int h_in[N], h_out[N], *d_in, *d_out;
    for (int i = 0; i < N; i++) h_in[i] = i % 10;

    CUDA_CHECK(cudaMalloc(&d_in, sizeof h_in));
    CUDA_CHECK(cudaMalloc(&d_out, sizeof h_out));
    CUDA_CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    inclusive_scan<<<1, N>>>(d_in, d_out);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));

    int sum = 0, wrong = 0;
    for (int i = 0; i < N; i++) {
        sum += h_in[i];
        if (h_out[i] != sum) wrong++;
    }
    if (wrong == 0)
        printf("the scan is right: %d elements, the last is %d\n", N, h_out[N - 1]);
    else
        printf("the scan is wrong: %d of %d elements\n", wrong, N);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    return 0;
}
