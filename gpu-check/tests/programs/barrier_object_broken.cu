// A barrier object expects one thread more than there are.
// finds: livelock at 14
#include <cstdio>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void reverse(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i == 0) init(&barrier, blockDim.x + 1);
    __syncthreads();
    tile[i] = i;
    barrier.arrive_and_wait();
    out[i] = tile[63 - i];
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
    reverse<<<1, 64>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
