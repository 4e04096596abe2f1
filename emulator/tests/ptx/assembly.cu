// nvcc -arch=sm_90 -lineinfo
// Inline assembly: blocks with registers and labels of their own, many times in one kernel.
#include <cstdint>

__device__ void wait(uint32_t barrier, uint32_t phase) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra over;\n"
        "bra again;\n"
        "over:\n"
        "}" ::"r"(barrier), "r"(phase));
}

__global__ void pipeline(const float4* in, float4* out, int n) {
    __shared__ float4 tile[2][32];
    __shared__ uint64_t barrier;
    uint32_t at = __cvta_generic_to_shared(&barrier);
    uint32_t to = __cvta_generic_to_shared(&tile[0][threadIdx.x]);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x));
    __syncthreads();
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at));
    wait(at, 0);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(in), "r"(512), "r"(at));
    wait(at, 1);
    float4 v;
    asm volatile("ld.global.L1::no_allocate.L2::256B.v4.f32 {%0,%1,%2,%3}, [%4+16];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(in));
    int q;
    asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, 4, 1; selp.b32 %0, 1, 0, p; @!q add.s32 %0, %0, 2; }" : "=r"(q) : "r"(n));
    v.x += tile[1][q].y;
    asm volatile("st.global.cg.v4.f32 [%0], {%1, %2, %3, 0f3F800000};" ::"l"(out), "f"(v.x), "f"(v.y), "f"(v.z));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + 99));
    asm volatile("red.global.add.f32 [%0], 0f3F800000;" ::"l"(out));
}

__global__ void bits(uint32_t* x) {
    uint32_t a = x[0], b = x[1], c;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(a) : "r"(b), "r"(a));
    asm("lop3.b32 %0, %1, %2, %0, 0xe8;" : "+r"(a) : "r"(b), "r"(a));
    asm("{ .reg .u64 t; mov.b64 t, {%1, %2}; shr.u64 t, t, 7; mov.b64 {%0, _}, t; }" : "=r"(c) : "r"(a), "r"(b));
    asm("add.cc.u32 %0, %0, %1; addc.u32 %0, %0, 0;" : "+r"(c) : "r"(b));
    unsigned present = __match_any_sync(~0u, c);
    x[2] = c + __popc(present) + __reduce_add_sync(~0u, a) + __byte_perm(a, b, 0x3120);
}
