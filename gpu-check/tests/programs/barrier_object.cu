// A barrier object expects as many threads as there are. Then they wait for time to pass, and for a flag that nobody sets for some
// time only.
// prints: 63 0
#include <cstdio>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void reverse(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i == 0) init(&barrier, blockDim.x);
    __syncthreads();
    tile[i] = i;
    barrier.arrive_and_wait();
    out[i] = tile[63 - i];
}

__device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

__global__ void wait(volatile int* flag) {
    long long begin = clock64();
    while (clock64() - begin < 50000) {
    }
    unsigned long long start = nanoseconds();
    for (unsigned nap = 8; *flag == 0 && nanoseconds() - start < 200000; nap = nap < 256 ? 2 * nap : nap) __nanosleep(nap);
    while ((clock() & 0xffff) < 0x8000) {
    }
    flag[1 + threadIdx.x] = 0;
}

int main() {
    int *out, *flag, first;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMalloc(&flag, 65 * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    reverse<<<1, 64>>>(out);
    wait<<<1, 64>>>(flag);
    cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", first, cudaDeviceSynchronize());
    return 0;
}
