// nvcc -arch=sm_90 -lineinfo
// Variables of every space, their initial values, atomics of many kinds.
#include <cuda/atomic>

__constant__ float weights[4][2] = {{1.5f, 2}, {3, -0.0f}};
__constant__ double pi = 3.25;
__device__ int counter = 7;
__device__ const char* greeting = "hello";
__managed__ int shared_with_host[3] = {1, 2, 3};
__device__ unsigned char bytes[5] = {255, 1, 0, 128};
__device__ short matrix[2][3] = {{1}, {-2, 3}};
struct Node {
    int value;
    Node* next;
    float* inside;
};
__device__ float numbers[8];
__device__ Node first = {1, nullptr, nullptr};
__device__ Node last = {2, &first, numbers + 3};
struct __attribute__((packed)) Tight {
    char tag;
    int* target;
};
__device__ Tight tight = {1, &counter};
static __device__ volatile int flag;

__global__ void spaces(float* out, const __grid_constant__ Node parameter, int n) {
    __shared__ float tile[32][33];
    extern __shared__ __align__(16) double dynamic[];
    int local[16];
    for (int i = 0; i < 16; i++) local[i] = i * n;
    tile[threadIdx.x][n] = weights[n & 3][n & 1] + numbers[n];
    dynamic[threadIdx.x] = pi * local[n & 15];
    __syncthreads();
    out[threadIdx.x] = tile[n][threadIdx.x] + dynamic[n] + parameter.value + matrix[n][1] + *tight.target;
    shared_with_host[1] = bytes[n] + *greeting + last.next->value + first.value + flag;
    flag = 1;
}

__global__ void atomics(int* i, unsigned long long* u, float* f, double* d, unsigned short* s, float4* f4) {
    atomicAdd(i, 1);
    atomicAdd_block(i + 1, 2);
    atomicAdd_system(u, 3);
    f[1] = atomicAdd(f, 1.5f);
    atomicAdd(d, 2.5);
    i[2] = atomicCAS(i + 3, 4, 5);
    s[0] = atomicCAS(s + 1, static_cast<unsigned short>(4), static_cast<unsigned short>(5));
    i[4] = atomicExch(i + 5, 6) + atomicMin(i + 6, 7) + atomicInc(reinterpret_cast<unsigned*>(i) + 7, 8);
    f4[0] = atomicAdd(f4 + 1, make_float4(1, 2, 3, 4));
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(i[8]);
    while (ref.load(cuda::memory_order_acquire) != 3) ref.fetch_or(3, cuda::memory_order_acq_rel);
    __threadfence_system();
}
