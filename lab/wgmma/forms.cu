// Products of a warpgroup on random matrices, one line of bits for each form: run it on a GPU and under
// `cargo gpu-check`, and compare.
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -o forms lab/wgmma/forms.cu && ./forms > gpu.txt
//   cargo gpu-check --nvcc-flags "-gencode arch=compute_90a,code=compute_90a" lab/wgmma/forms.cu > emulated.txt
//   diff gpu.txt emulated.txt
//
// A line has the types, the shape, where A comes from, the swizzle mode and the major dimension of both matrices, the
// range of the numbers, and a hash of all bits of D. With an argument (`./forms full`) each line has all elements of D
// as bits. Shared memory is filled with random elements everywhere, so a wrong address gives another hash. Numbers are
// small integers (`exact`: every sum is exact), or any of a range (`wide`: the last bits depend on how sums are made).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                  \
    do {                                                                             \
        cudaError_t error = (call);                                                  \
        if (error != cudaSuccess) {                                                  \
            printf("%s:%d: %s\n", #call, __LINE__, cudaGetErrorName(error));         \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

constexpr int BYTES = 98304; // Shared memory: A from 0 on, B from 32768 on.
constexpr int OF_B = 32768;

#define COPY_IN                                                                                     \
    extern __shared__ __align__(1024) uint8_t s[];                                                  \
    for (int i = threadIdx.x * 16; i < BYTES; i += blockDim.x * 16)                                 \
        *reinterpret_cast<uint4*>(s + i) = *reinterpret_cast<const uint4*>(image + i);              \
    asm volatile("fence.proxy.async;" ::: "memory");                                                \
    __syncthreads();                                                                                \
    const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(s)) >> 4;                    \
    const uint64_t da = of_a + at, db = of_b + at + (OF_B >> 4);                                    \
    uint32_t d[4];                                                                                  \
    for (int i = 0; i < 4; i++) d[i] = c[threadIdx.x * 4 + i];                                      \
    const uint32_t* r = fragments + threadIdx.x * 4;                                                \
    const uint32_t r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];

#define COPY_OUT                                                                                    \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"               \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])::"memory");                       \
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = d[i];

#define ARGUMENTS                                                                                         \
    const uint8_t *image, const uint32_t *fragments, const uint32_t *c, uint32_t *out, uint64_t of_a, uint64_t of_b

// The accumulators are bits here: `mov` gives them the type of the form.
#define FLOATS                                                                                      \
    "{\n.reg .f32 x<4>;\nmov.b32 x0, %0; mov.b32 x1, %1; mov.b32 x2, %2; mov.b32 x3, %3;\n"         \
    "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned."
#define FLOATS_END                                                                                  \
    "\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                        \
    "mov.b32 %0, x0; mov.b32 %1, x1; mov.b32 %2, x2; mov.b32 %3, x3;\n}"

// n8 with four accumulators of f32 or s32; n16 with four of f16.
#define FORM(name, shape, a, operand, rest)                                                         \
    extern "C" __global__ void name(ARGUMENTS) {                                                    \
        COPY_IN                                                                                     \
        asm volatile(FLOATS shape " {x0, x1, x2, x3}, " a ", %5, " rest ";" FLOATS_END              \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                               \
                     : "l"(da), "l"(db), "r"(r0), "r"(r1), "r"(r2), "r"(r3)                         \
                     : "memory");                                                                   \
        COPY_OUT                                                                                    \
    }
#define BITS(name, shape, a, rest)                                                                  \
    extern "C" __global__ void name(ARGUMENTS) {                                                    \
        COPY_IN                                                                                     \
        asm volatile("wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned." shape               \
                     " {%0, %1, %2, %3}, " a ", %5, " rest ";"                                      \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                               \
                     : "l"(da), "l"(db), "r"(r0), "r"(r1), "r"(r2), "r"(r3)                         \
                     : "memory");                                                                   \
        COPY_OUT                                                                                    \
    }

#define REGISTERS "{%6, %7, %8, %9}"
FORM(f16_kk, "m64n8k16.f32.f16.f16", "%4", , "1, 1, 1, 0, 0")
FORM(f16_mk, "m64n8k16.f32.f16.f16", "%4", , "1, 1, 1, 1, 0")
FORM(f16_kn, "m64n8k16.f32.f16.f16", "%4", , "1, 1, 1, 0, 1")
FORM(f16_mn, "m64n8k16.f32.f16.f16", "%4", , "1, 1, 1, 1, 1")
FORM(f16_negated, "m64n8k16.f32.f16.f16", "%4", , "1, -1, 1, 0, 0")
FORM(f16_alone, "m64n8k16.f32.f16.f16", "%4", , "0, 1, -1, 0, 0")
FORM(f16_r, "m64n8k16.f32.f16.f16", REGISTERS, , "1, 1, 1, 0")
FORM(bf16_kk, "m64n8k16.f32.bf16.bf16", "%4", , "1, 1, 1, 0, 0")
FORM(bf16_mn, "m64n8k16.f32.bf16.bf16", "%4", , "1, 1, 1, 1, 1")
FORM(bf16_r, "m64n8k16.f32.bf16.bf16", REGISTERS, , "1, 1, 1, 0")
FORM(tf32, "m64n8k8.f32.tf32.tf32", "%4", , "1, 1, 1")
FORM(tf32_r, "m64n8k8.f32.tf32.tf32", REGISTERS, , "1, 1, 1")
FORM(e4m3, "m64n8k32.f32.e4m3.e4m3", "%4", , "1, 1, 1")
FORM(e5m2, "m64n8k32.f32.e5m2.e5m2", "%4", , "1, 1, 1")
FORM(e4m3_e5m2_r, "m64n8k32.f32.e4m3.e5m2", REGISTERS, , "1, 1, 1")
BITS(h16_kk, "m64n16k16.f16.f16.f16", "%4", "1, 1, 1, 0, 0")
BITS(h16_mn, "m64n16k16.f16.f16.f16", "%4", "1, 1, 1, 1, 1")
BITS(h16_r, "m64n16k16.f16.f16.f16", REGISTERS, "1, 1, 1, 0")
BITS(h8_e4m3, "m64n16k32.f16.e4m3.e4m3", "%4", "1, 1, 1")
BITS(s8, "m64n8k32.s32.s8.s8", "%4", "1")
BITS(u8_s8, "m64n8k32.s32.u8.s8", "%4", "1")
BITS(s8_r, "m64n8k32.satfinite.s32.s8.u8", REGISTERS, "1")

// Products of one warp, for comparison: A from the fragments, B from the image.
#define WARP_PRODUCT(name, shape, a)                                                                      \
    extern "C" __global__ void name(ARGUMENTS) {                                                          \
        const uint32_t* r = fragments + threadIdx.x * 4;                                                  \
        const uint32_t* b = reinterpret_cast<const uint32_t*>(image + OF_B) + threadIdx.x * 2;            \
        float d[4];                                                                                       \
        for (int i = 0; i < 4; i++) d[i] = __uint_as_float(c[threadIdx.x * 4 + i]);                       \
        asm volatile("mma.sync.aligned." shape " {%0, %1, %2, %3}, " a ", {%0, %1, %2, %3};"              \
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                     \
                     : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(b[0]), "r"(b[1]));                 \
        for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = __float_as_uint(d[i]);                     \
    }
#define WHOLE "{%4, %5, %6, %7}, {%8, %9}"
#define HALF "{%4, %5}, {%8}"
WARP_PRODUCT(warp_f16, "m16n8k16.row.col.f32.f16.f16.f32", WHOLE)
WARP_PRODUCT(warp_f16_k8, "m16n8k8.row.col.f32.f16.f16.f32", HALF)
WARP_PRODUCT(warp_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", WHOLE)
WARP_PRODUCT(warp_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", WHOLE)
WARP_PRODUCT(warp_tf32_k4, "m16n8k4.row.col.f32.tf32.tf32.f32", HALF)

enum Element { F16, BF16, TF32, E4M3, E5M2, BYTE };

static uint64_t state = 1;
static uint32_t next_random() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state >> 33);
}

// Random bits of one element; `wide`: finite numbers of a moderate range, with all their bits.
static uint32_t element(Element type, bool wide) {
    const uint32_t sign = next_random() & 1, bits = next_random(), small = next_random() % 4;
    const int exponent = static_cast<int>(next_random() % 6) - 3;
    switch (type) {
    case F16: {
        const uint32_t exact[] = {0, 0x3c00, 0xbc00, 0x4000};
        return wide ? sign << 15 | (15 + exponent) << 10 | (bits & 0x3ff) : exact[small];
    }
    case BF16: {
        const uint32_t exact[] = {0, 0x3f80, 0xbf80, 0x4000};
        return wide ? sign << 15 | (127 + exponent) << 7 | (bits & 0x7f) : exact[small];
    }
    case TF32: {
        const uint32_t exact[] = {0, 0x3f800000, 0xbf800000, 0x40000000};
        return wide ? sign << 31 | (127u + exponent) << 23 | (bits & 0x7fffff) : exact[small];
    }
    case E4M3: {
        const uint32_t exact[] = {0, 0x38, 0xb8, 0x40};
        return wide ? sign << 7 | (7 + exponent) << 3 | (bits & 7) : exact[small];
    }
    case E5M2: {
        const uint32_t exact[] = {0, 0x3c, 0xbc, 0x40};
        return wide ? sign << 7 | (15 + exponent) << 2 | (bits & 3) : exact[small];
    }
    default: return bits & 0xff;
    }
}

static int bytes_of(Element type) { return type == TF32 ? 4 : type == F16 || type == BF16 ? 2 : 1; }

static void fill(std::vector<uint8_t>& memory, size_t from, size_t to, Element type, bool wide) {
    for (size_t i = from; i < to; i += bytes_of(type)) {
        const uint32_t bits = element(type, wide);
        memcpy(&memory[i], &bits, bytes_of(type));
    }
}

// Start, leading and stride offsets in bytes, base offset, swizzle mode.
static uint64_t descriptor(int mode, int leading, int stride, int start = 0, int base = 0) {
    return uint64_t(start >> 4) | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 | uint64_t(base) << 49 |
           uint64_t(mode) << 62;
}

struct Form {
    const char* name;
    Element a, b;
    char d; // f: f32, h: f16, i: s32
    void (*kernel)(ARGUMENTS);
};

int main(int argc, char**) {
    const Form forms[] = {
        {"f16_kk", F16, F16, 'f', f16_kk}, {"f16_mk", F16, F16, 'f', f16_mk}, {"f16_kn", F16, F16, 'f', f16_kn},
        {"f16_mn", F16, F16, 'f', f16_mn}, {"f16_negated", F16, F16, 'f', f16_negated},
        {"f16_alone", F16, F16, 'f', f16_alone}, {"f16_r", F16, F16, 'f', f16_r},
        {"bf16_kk", BF16, BF16, 'f', bf16_kk}, {"bf16_mn", BF16, BF16, 'f', bf16_mn},
        {"bf16_r", BF16, BF16, 'f', bf16_r},
        {"tf32", TF32, TF32, 'f', tf32}, {"tf32_r", TF32, TF32, 'f', tf32_r}, {"e4m3", E4M3, E4M3, 'f', e4m3},
        {"e5m2", E5M2, E5M2, 'f', e5m2}, {"e4m3_e5m2_r", E4M3, E5M2, 'f', e4m3_e5m2_r},
        {"h16_kk", F16, F16, 'h', h16_kk}, {"h16_mn", F16, F16, 'h', h16_mn}, {"h16_r", F16, F16, 'h', h16_r},
        {"h8_e4m3", E4M3, E4M3, 'h', h8_e4m3}, {"s8", BYTE, BYTE, 'i', s8}, {"u8_s8", BYTE, BYTE, 'i', u8_s8},
        {"s8_r", BYTE, BYTE, 'i', s8_r},
        {"warp_f16", F16, F16, 'f', warp_f16}, {"warp_f16_k8", F16, F16, 'f', warp_f16_k8},
        {"warp_bf16", BF16, BF16, 'f', warp_bf16}, {"warp_tf32", TF32, TF32, 'f', warp_tf32},
        {"warp_tf32_k4", TF32, TF32, 'f', warp_tf32_k4}};
    // Mode, leading, stride, start within the pattern, base offset.
    const int layouts[][5] = {{0, 128, 256, 0, 0}, {0, 1024, 128, 0, 0},  {0, 272, 1040, 16, 0},  {3, 16, 256, 0, 0},
                              {3, 512, 1024, 0, 0}, {3, 768, 256, 128, 1}, {2, 16, 512, 0, 0},     {2, 1024, 2048, 0, 0},
                              {2, 512, 1536, 32, 0}, {2, 512, 1024, 256, 2}, {1, 16, 1024, 0, 0},  {1, 2048, 1024, 0, 0},
                              {1, 1024, 2048, 64, 0}, {1, 1024, 1024, 96, 0}, {1, 1024, 1024, 384, 3}};
    uint8_t* image;
    uint32_t *fragments, *c, *out;
    CHECK(cudaMalloc(&image, BYTES));
    CHECK(cudaMalloc(&fragments, 2048));
    CHECK(cudaMalloc(&c, 2048));
    CHECK(cudaMalloc(&out, 2048));
    std::vector<uint8_t> memory(BYTES), of_a(2048), of_c(2048);
    std::vector<uint32_t> result(512);
    for (const Form& form : forms) {
        CHECK(cudaFuncSetAttribute(form.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
        for (int wide = 0; wide < (form.d == 'i' ? 1 : 2); wide++) {
            for (const auto& l : layouts) {
                fill(memory, 0, OF_B, form.a, wide);
                fill(memory, OF_B, BYTES, form.b, wide);
                fill(of_a, 0, 2048, form.a, wide);
                if (form.d == 'i') fill(of_c, 0, 2048, BYTE, false);
                else if (form.d == 'h') fill(of_c, 0, 2048, F16, wide);
                else fill(of_c, 0, 2048, TF32, wide);
                CHECK(cudaMemcpy(image, memory.data(), BYTES, cudaMemcpyHostToDevice));
                CHECK(cudaMemcpy(fragments, of_a.data(), 2048, cudaMemcpyHostToDevice));
                CHECK(cudaMemcpy(c, of_c.data(), 2048, cudaMemcpyHostToDevice));
                CHECK(cudaMemset(out, 0xcc, 2048));
                const uint64_t bits = descriptor(l[0], l[1], l[2], l[3], l[4]);
                form.kernel<<<1, 128, BYTES>>>(image, fragments, c, out, bits, bits);
                CHECK(cudaGetLastError());
                CHECK(cudaMemcpy(result.data(), out, 2048, cudaMemcpyDeviceToHost));
                printf("%s %s mode=%d leading=%d stride=%d start=%d base=%d:", form.name, wide ? "wide" : "exact",
                       l[0], l[1], l[2], l[3], l[4]);
                uint64_t hash = 14695981039346656037ull;
                for (uint32_t word : result) {
                    hash = (hash ^ word) * 1099511628211ull;
                    if (argc > 1) printf(" %08x", word);
                }
                printf(" %016llx\n", static_cast<unsigned long long>(hash));
            }
        }
    }
}
