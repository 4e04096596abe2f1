// finds: race-shared at 14, 16
// finds: race-global at 22, 24
// finds: race-shared at 33, 36
// finds: race-shared at 36, 38
// As `speculated_load`, but another thread than the writer uses each value.
#include <cstdio>

__device__ int device_flag;

// Thread 126 may read `total` before thread 127 has written it.
__global__ void other_total(const int *in, int *out) {
    __shared__ int total;
    if (threadIdx.x == 127) {
        total = in[5];
    }
    const bool some = threadIdx.x == 126 && total > 0;
    out[threadIdx.x] = __syncthreads_or(some) ? total : 0;
}

__global__ void other_flag(const int *in, int *out) {
    if (threadIdx.x == 127) {
        device_flag = in[5];
    }
    const bool some = threadIdx.x == 126 && device_flag > 0;
    out[threadIdx.x] = __syncthreads_or(some) ? 5 : 0;
}

// Lane 1 reads what lane 0 writes: a shuffle is no barrier for memory.
__global__ void other_carry(const int *in, int *out, int rounds) {
    __shared__ int carry;
    const int t = threadIdx.x;
    if (t == 0) {
        carry = 0;
    }
    for (int r = 0; r < rounds; r++) {
        const int before = __shfl_sync(~0u, t == 1 ? carry : 0, 1);
        if (t == 0) {
            carry = before + in[r];
        }
        out[r * 32 + t] = before;
    }
}

int main() {
    int host[128], *in, *out;
    for (int i = 0; i < 128; i++) {
        host[i] = i;
    }
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    other_total<<<1, 128>>>(in, out);
    other_flag<<<1, 128>>>(in, out);
    other_carry<<<1, 32>>>(in, out, 4);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
