// prints: 0 wrong
// Loads that nvcc moves before the branch that needs them, so that all threads run them. Only one thread uses each value, and the same
// thread wrote it: no race.
#include <cstdio>

__device__ int device_flag;

// The value is dropped by an `and` of predicates, in shared memory and then in global memory.
__global__ void own_total(const int *in, int *out) {
    __shared__ int total;
    if (threadIdx.x == 127) {
        total = in[5];
    }
    const bool some = threadIdx.x == 127 && total > 0;
    out[threadIdx.x] = __syncthreads_or(some) ? total : 0;
}

__global__ void own_flag(const int *in, int *out) {
    if (threadIdx.x == 127) {
        device_flag = in[5];
    }
    const bool some = threadIdx.x == 127 && device_flag > 0;
    out[threadIdx.x] = __syncthreads_or(some) ? 5 : 0;
}

// The value is dropped by `selp`: only lane 0 accesses `carry`.
__global__ void own_carry(const int *in, int *out, int rounds) {
    __shared__ int carry;
    const int t = threadIdx.x;
    if (t == 0) {
        carry = 0;
    }
    for (int r = 0; r < rounds; r++) {
        const int before = __shfl_sync(~0u, t == 0 ? carry : 0, 0);
        if (t == 0) {
            carry = before + in[r];
        }
        out[r * 32 + t] = before;
    }
}

// nvcc loads both variables in every thread and selects; each thread wrote the one that it uses, or waited for it.
__global__ void one_of_two(int *out) {
    __shared__ int low[32], high[32];
    const int t = threadIdx.x;
    (t < 32 ? low : high)[t % 32] = t;
    const int mine = t < 32 ? low[t % 32] : high[t % 32];
    out[t] = t < 64 ? mine : 0;
}

// The value is multiplied before it is dropped: only thread 0 scales.
__global__ void own_scale(int *out) {
    __shared__ int scale;
    int value = threadIdx.x;
    if (threadIdx.x == 0) {
        scale = 3;
        value = 2;
    }
    if (threadIdx.x == 0) {
        value *= scale;
    }
    out[threadIdx.x] = value;
}

int main() {
    int host[128], *in, *out, wrong = 0;
    for (int i = 0; i < 128; i++) {
        host[i] = i;
    }
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    own_total<<<1, 128>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        wrong += host[i] != 5;
    }
    own_flag<<<1, 128>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        wrong += host[i] != 5;
    }
    own_carry<<<1, 32>>>(in, out, 4);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        wrong += host[i] != i / 32 * (i / 32 - 1) / 2;
    }
    one_of_two<<<1, 64>>>(out);
    cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) {
        wrong += host[i] != i;
    }
    own_scale<<<1, 128>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        wrong += host[i] != (i == 0 ? 6 : i);
    }
    printf("%d wrong\n", wrong);
}
