// explain/wgmma.cu: the example of docs/explain/wgmma.md.
//
// run: kernel=wrong block=128 out:f32[512] => finding=wgmma
// run: kernel=right block=128 out:f32[512] => out=[16]
//
// Arch: sm_90a

// All elements of both matrices are 1. A descriptor has the start, and two strides in units of 16 bytes.
__device__ unsigned long long ones(unsigned* matrix, int words) {
    for (int i = threadIdx.x; i < words; i += 128) matrix[i] = 0x3c003c00;
    asm volatile("fence.proxy.async;" ::: "memory");
    return (unsigned long long)__cvta_generic_to_shared(matrix) >> 4 | 8ull << 16 | 16ull << 32;
}

extern "C" __global__ void wrong(float4* out) {
    __shared__ __align__(128) unsigned a[512], b[64];
    const unsigned long long of_a = ones(a, 512), of_b = ones(b, 64);
    __syncthreads();
    float4 d;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
                 : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w) : "l"(of_a), "l"(of_b) : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    out[threadIdx.x] = d;
}

extern "C" __global__ void right(float4* out) {
    __shared__ __align__(128) unsigned a[512], b[64];
    const unsigned long long of_a = ones(a, 512), of_b = ones(b, 64);
    __syncthreads();
    float4 d;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
                 : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w) : "l"(of_a), "l"(of_b) : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    out[threadIdx.x] = d;
}
