// Copies boxes of tensors in all modes, and prints a line for each: to compare a GPU with the emulator.
//
// Each line has the tensor, the box and its coordinates, the result of cuTensorMapEncodeTiled, and hashes: of the
// shared memory after a load, of the global memory after a store, and after reductions. Where a copy does not
// complete, the line says so. A load whose rows begin within 16 bytes, and a store that begins at a negative
// coordinate, end in an illegal instruction on an H200: these are not tried.
//
// nvcc -arch=sm_90a -std=c++17 modes.cu -lcuda
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

constexpr unsigned SHARED = 48 << 10;
constexpr unsigned GLOBAL = 1 << 19;
constexpr unsigned TENSOR_AT = 1 << 16;

__device__ __forceinline__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

struct Coordinates {
    int at[5];
};

__device__ void load_box(int rank, uint32_t to, const CUtensorMap* map, const Coordinates& c, uint32_t barrier) {
    const uint64_t m = reinterpret_cast<uint64_t>(map);
    switch (rank) {
        case 1:
            asm volatile(
                "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
                ::"r"(to), "l"(m), "r"(c.at[0]), "r"(barrier) : "memory");
            break;
        case 2:
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                ::"r"(to), "l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(barrier) : "memory");
            break;
        case 3:
            asm volatile(
                "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                ::"r"(to), "l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(barrier) : "memory");
            break;
        case 4:
            asm volatile(
                "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                "[%0], [%1, {%2, %3, %4, %5}], [%6];"
                ::"r"(to), "l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(barrier) : "memory");
            break;
        default:
            asm volatile(
                "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes "
                "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
                ::"r"(to), "l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]), "r"(barrier)
                : "memory");
    }
}

#define STORE(instruction)                                                                                        \
    switch (rank) {                                                                                               \
        case 1:                                                                                                   \
            asm volatile(instruction(1) " [%0, {%1}], [%2];" ::"l"(m), "r"(c.at[0]), "r"(from) : "memory");       \
            break;                                                                                                \
        case 2:                                                                                                   \
            asm volatile(instruction(2) " [%0, {%1, %2}], [%3];"                                                  \
                         ::"l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(from) : "memory");                             \
            break;                                                                                                \
        case 3:                                                                                                   \
            asm volatile(instruction(3) " [%0, {%1, %2, %3}], [%4];"                                              \
                         ::"l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(from) : "memory");               \
            break;                                                                                                \
        case 4:                                                                                                   \
            asm volatile(instruction(4) " [%0, {%1, %2, %3, %4}], [%5];"                                          \
                         ::"l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(from) : "memory"); \
            break;                                                                                                \
        default:                                                                                                  \
            asm volatile(instruction(5) " [%0, {%1, %2, %3, %4, %5}], [%6];"                                      \
                         ::"l"(m), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]), "r"(from) \
                         : "memory");                                                                             \
    }
#define PLAIN(rank) "cp.async.bulk.tensor." #rank "d.global.shared::cta.tile.bulk_group"
#define REDUCE_add(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.add.tile.bulk_group"
#define REDUCE_min(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.min.bulk_group"
#define REDUCE_max(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.max.tile.bulk_group"
#define REDUCE_inc(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.inc.tile.bulk_group"
#define REDUCE_dec(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.dec.tile.bulk_group"
#define REDUCE_and(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.and.tile.bulk_group"
#define REDUCE_or(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.or.bulk_group"
#define REDUCE_xor(rank) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.xor.tile.bulk_group"

__device__ void store_box(int what, int rank, const CUtensorMap* map, const Coordinates& c, uint32_t from) {
    const uint64_t m = reinterpret_cast<uint64_t>(map);
    switch (what) {
        case 0: STORE(PLAIN) break;
        case 1: STORE(REDUCE_add) break;
        case 2: STORE(REDUCE_min) break;
        case 3: STORE(REDUCE_max) break;
        case 4: STORE(REDUCE_inc) break;
        case 5: STORE(REDUCE_dec) break;
        case 6: STORE(REDUCE_and) break;
        case 7: STORE(REDUCE_or) break;
        default: STORE(REDUCE_xor)
    }
}

// Loads a box, and copies all shared memory to `dump`. `state[0]` counts the polls that found the phase incomplete;
// it is capped when it does not complete, or is surplus (`state[1]`) when a second phase completes too.
__global__ void load(const __grid_constant__ CUtensorMap map, int rank, Coordinates at, unsigned offset, unsigned bytes,
                     uint8_t* dump, unsigned* state) {
    extern __shared__ __align__(1024) uint8_t box[];
    __shared__ __align__(8) uint64_t barrier;
    for (unsigned i = threadIdx.x; i < SHARED; i += blockDim.x) box[i] = 0xee;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                     : "memory");
        load_box(rank, shared_address(box + offset), &map, at, shared_address(&barrier));
    }
    unsigned polls = 0, done = 0;
    while (!done && polls < 20000) {
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 20000; selp.u32 %0, 1, 0, p; }"
            : "=r"(done) : "r"(shared_address(&barrier)) : "memory");
        ++polls;
    }
    if (threadIdx.x == 0) state[0] = done;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < SHARED; i += blockDim.x) dump[i] = box[i];
}

__global__ void store(const __grid_constant__ CUtensorMap map, int what, int rank, Coordinates at, unsigned offset,
                      const uint8_t* source) {
    extern __shared__ __align__(1024) uint8_t box[];
    for (unsigned i = threadIdx.x; i < SHARED; i += blockDim.x) box[i] = source[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        store_box(what, rank, &map, at, shared_address(box + offset));
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

const char* const TYPES[] = {"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32ftz", "tf32", "tf32ftz"};
const unsigned BYTES[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
const char* const SWIZZLES[] = {"none", "32", "64", "128"};
const char* const KINDS[] = {"store", "add", "min", "max", "inc", "dec", "and", "or", "xor"};

struct Mode {
    unsigned type = 2;
    unsigned rank = 2;
    uint64_t dims[5] = {64, 16, 1, 1, 1};
    unsigned padding = 0;  // of each row, in units of 16 bytes
    uint32_t box[5] = {16, 4, 1, 1, 1};
    uint32_t steps[5] = {1, 1, 1, 1, 1};
    unsigned swizzle = 0;
    unsigned fill = 0;
    int at[5] = {0, 0, 0, 0, 0};
    unsigned offset = 0;
    unsigned reductions = 0;  // bits of KINDS
    int expected = -1;        // bytes; -1: those of the box
};

uint64_t state = 0x1234567;
unsigned draw(unsigned below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>((state >> 33) % below);
}

uint64_t hash(const std::vector<uint8_t>& bytes) {
    uint64_t h = 0xcbf29ce484222325ull;
    for (uint8_t b : bytes) h = (h ^ b) * 0x100000001b3ull;
    return h;
}

#define OK(call)                                                                        \
    do {                                                                                \
        CUresult r = (call);                                                            \
        if (r != CUDA_SUCCESS) {                                                        \
            const char* name = "?";                                                     \
            cuGetErrorName(r, &name);                                                   \
            printf("%s at line %d\n", name, __LINE__);                                  \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)
#define CUDA(call)                                                          \
    do {                                                                    \
        cudaError_t r = (call);                                             \
        if (r != cudaSuccess) {                                             \
            printf(" %s\n", cudaGetErrorName(r));                           \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

uint8_t *global, *dump, *source;
unsigned* seen;
std::vector<uint8_t> pattern(GLOBAL), given(SHARED);

CUresult encode(CUtensorMap* map, const Mode& m) {
    uint64_t strides[5];
    uint64_t row = m.dims[0] * BYTES[m.type];
    row = (row + 15) / 16 * 16 + 16 * m.padding;
    for (unsigned i = 0; i < 4; ++i) {
        strides[i] = row;
        row *= m.dims[i + 1];
    }
    return cuTensorMapEncodeTiled(map, static_cast<CUtensorMapDataType>(m.type), m.rank, global + TENSOR_AT, m.dims, strides,
                                  m.box, m.steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                  static_cast<CUtensorMapSwizzle>(m.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                  static_cast<CUtensorMapFloatOOBfill>(m.fill));
}

std::string list(unsigned rank, const uint64_t* v) {
    std::string s;
    for (unsigned i = 0; i < rank; ++i) s += (i ? "x" : "") + std::to_string(v[i]);
    return s;
}

void run(const Mode& m) {
    uint64_t box[5], steps[5];
    unsigned bytes = BYTES[m.type];
    for (unsigned i = 0; i < m.rank; ++i) {
        box[i] = m.box[i];
        steps[i] = m.steps[i];
        bytes *= i == 0 ? m.box[0] : (m.box[i] + m.steps[i] - 1) / m.steps[i];
    }
    printf("%s %s+%u box %s steps %s swizzle %s fill %u at", TYPES[m.type], list(m.rank, m.dims).c_str(), m.padding,
           list(m.rank, box).c_str(), list(m.rank, steps).c_str(), SWIZZLES[m.swizzle], m.fill);
    Coordinates at;
    for (unsigned i = 0; i < 5; ++i) at.at[i] = m.at[i];
    for (unsigned i = 0; i < m.rank; ++i) printf(" %d", m.at[i]);
    printf(" offset %u:", m.offset);
    CUtensorMap map;
    CUresult r = encode(&map, m);
    if (r != CUDA_SUCCESS) {
        const char* name = "?";
        cuGetErrorName(r, &name);
        printf(" %s\n", name);
        return;
    }
    if (m.at[0] * static_cast<int>(BYTES[m.type]) % 16 != 0) {
        printf(" not tried\n");
        return;
    }
    bool below = false;
    for (unsigned i = 0; i < m.rank; ++i) below |= m.at[i] < 0;
    unsigned found[2] = {};
    std::vector<uint8_t> got(SHARED);
    CUDA(cudaMemcpy(global, pattern.data(), GLOBAL, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(seen, 0, 8));
    load<<<1, 128, SHARED>>>(map, m.rank, at, m.offset, m.expected < 0 ? bytes : m.expected, dump, seen);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(got.data(), dump, SHARED, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(found, seen, 8, cudaMemcpyDeviceToHost));
    printf(" load %016llx%s", static_cast<unsigned long long>(hash(got)), found[0] ? "" : " (incomplete)");
    for (unsigned what = 0; what < 9; ++what) {
        if (below || !(m.reductions >> what & 1)) continue;
        std::vector<uint8_t> after(GLOBAL);
        CUDA(cudaMemcpy(global, pattern.data(), GLOBAL, cudaMemcpyHostToDevice));
        store<<<1, 128, SHARED>>>(map, what, m.rank, at, m.offset, source);
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaMemcpy(after.data(), global, GLOBAL, cudaMemcpyDeviceToHost));
        printf(" %s %016llx", KINDS[what], static_cast<unsigned long long>(hash(after)));
    }
    printf("\n");
    fflush(stdout);
}

// Reductions that the PTX ISA allows for a type.
unsigned reductions(unsigned type) {
    switch (type) {
        case 2: return 0x1ff;       // u32
        case 3: return 0x00f;       // s32
        case 4: return 0x1cf;       // u64
        case 5: return 0x00d;       // s64: no addition
        case 6: case 9: return 0xf; // f16, bf16
        case 7: case 10: return 0x003;  // f32, f32ftz
        case 8: return 0x003;       // f64
        default: return 1;
    }
}

void random_modes(unsigned count) {
    for (unsigned n = 0; n < count; ++n) {
        Mode m;
        m.type = draw(10);
        m.rank = 1 + draw(5);
        m.swizzle = m.rank > 1 ? draw(4) : 0;
        const unsigned limit = m.swizzle ? 16u << m.swizzle : 256u;
        const unsigned unit = 16 / BYTES[m.type];
        const unsigned rows[] = {1, 24, 8, 4, 3};
        for (unsigned i = 0; i < m.rank; ++i) {
            const unsigned most = i == 0 ? limit / BYTES[m.type] : rows[m.rank - 1];
            m.box[i] = i == 0 ? unit * (1 + draw(most / unit)) : 1 + draw(most);
            if (m.swizzle && i == 0) m.box[0] = limit / BYTES[m.type];
            m.dims[i] = i == 0 ? unit * (1 + draw(12)) : 1 + draw(rows[m.rank - 1] * 2);
            m.at[i] = static_cast<int>(draw(static_cast<unsigned>(m.dims[i]) + 4)) - 2;
            if (draw(3) == 0) m.at[i] = 0;
            if (i == 0) m.at[0] = m.at[0] / static_cast<int>(unit) * static_cast<int>(unit);
        }
        if (m.box[0] > 256) m.box[0] = 256;
        if (draw(2)) m.dims[0] -= draw(unit);
        if (m.dims[0] == 0) m.dims[0] = 1;
        m.padding = draw(3);
        m.fill = m.type >= 6 && draw(2);
        m.offset = 128 * draw(9);
        m.reductions = reductions(m.type);
        run(m);
    }
}

// Values that cuTensorMapEncodeTiled refuses, and some that it takes.
void not_allowed() {
    printf("# not allowed\n");
    for (unsigned i = 0; i < 24; ++i) {
        Mode m;
        switch (i) {
            case 0: m.rank = 0; break;
            case 1: m.rank = 6; break;
            case 2: m.dims[0] = 0; break;
            case 3: m.dims[1] = 0; break;
            case 4: m.dims[0] = 1ull << 32; break;
            case 5: m.dims[0] = (1ull << 32) + 4; break;
            case 6: m.box[0] = 0; break;
            case 7: m.box[1] = 257; break;
            case 8: m.box[1] = 256; break;
            case 9: m.box[0] = 3; break;
            case 10: m.steps[1] = 0; break;
            case 11: m.steps[1] = 8; break;
            case 12: m.steps[1] = 9; break;
            case 13: m.swizzle = 1; break;
            case 14: m.swizzle = 2; m.box[0] = 32; break;
            case 15: m.swizzle = 3; m.box[0] = 32; break;
            case 16: m.swizzle = 3; m.box[0] = 36; break;
            case 17: m.swizzle = 7; break;
            case 18: m.fill = 1; break;
            case 19: m.fill = 2; break;
            case 20: m.type = 17; break;
            case 21: m.box[0] = 256; m.box[1] = 256; break;
            case 22: m.steps[0] = 9; break;
            default: m.steps[0] = 0;
        }
        CUtensorMap map;
        const char* name = "?";
        uint64_t dims[5] = {m.dims[0], m.dims[1], 1, 1, 1};
        uint64_t strides[5] = {256, 4096, 4096, 4096, 4096};
        CUresult r = cuTensorMapEncodeTiled(
            &map, static_cast<CUtensorMapDataType>(m.type), m.rank, global, dims, strides, m.box, m.steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(m.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
            static_cast<CUtensorMapFloatOOBfill>(m.fill));
        cuGetErrorName(r, &name);
        printf("%u: %s\n", i, name);
    }
    for (unsigned i = 0; i < 9; ++i) {
        alignas(64) CUtensorMap maps[2];
        uint64_t dims[5] = {64, 16, 4, 1, 1}, strides[5] = {256, 4096, 4096, 4096, 4096};
        uint32_t box[5] = {16, 4, 2, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
        void* address = global;
        CUtensorMap* map = maps;
        unsigned promotion = 0;
        switch (i) {
            case 0: address = global + 8; break;
            case 1: address = global + 16; break;
            case 2: strides[0] = 264; break;
            case 3: strides[0] = 1ull << 40; break;
            case 4: strides[0] = (1ull << 40) - 16; break;
            case 5: strides[0] = 128; break;
            case 6: map = reinterpret_cast<CUtensorMap*>(reinterpret_cast<uint8_t*>(maps) + 16); break;
            case 7: promotion = 3; break;
            default: promotion = 4;
        }
        CUresult r = cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, address, dims, strides, box, steps,
                                            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                            static_cast<CUtensorMapL2promotion>(promotion), CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        const char* name = "?";
        cuGetErrorName(r, &name);
        printf("other %u: %s\n", i, name);
    }
    for (unsigned type : {0u, 2u, 4u}) {
        for (uint32_t rows : {16u, 32u, 64u, 100u, 113u, 114u, 127u, 128u, 129u, 192u, 255u, 256u}) {
            CUtensorMap map;
            uint64_t dims[2] = {1024, 1024}, strides[1] = {8192};
            uint32_t box[2] = {256, rows}, steps[2] = {1, 1};
            CUresult r = cuTensorMapEncodeTiled(&map, static_cast<CUtensorMapDataType>(type), 2, global, dims, strides, box,
                                                steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
            printf("%s box 256x%u: %s\n", TYPES[type], rows, r == CUDA_SUCCESS ? "taken" : "refused");
        }
    }
}

int main() {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    CUDA(cudaSetDevice(0));
    CUDA(cudaMalloc(&global, GLOBAL));
    CUDA(cudaMalloc(&dump, SHARED));
    CUDA(cudaMalloc(&source, SHARED));
    CUDA(cudaMalloc(&seen, 8));
    CUDA(cudaFuncSetAttribute(load, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    CUDA(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    for (auto& b : pattern) b = static_cast<uint8_t>(draw(256));
    // Subnormal numbers, where the first modes look.
    for (unsigned i = TENSOR_AT; i < TENSOR_AT + 256; i += 8) pattern[i + 3] = pattern[i + 2] = pattern[i + 7] = pattern[i + 6] = 0;
    for (auto& b : given) b = static_cast<uint8_t>(draw(256));
    for (unsigned i = 0; i < 64; i += 4) given[i + 3] = given[i + 2] = 0;
    CUDA(cudaMemcpy(source, given.data(), SHARED, cudaMemcpyHostToDevice));

    printf("# each type, in and out of bounds\n");
    for (unsigned type = 0; type < 13; ++type) {
        Mode m;
        m.type = type;
        m.box[0] = 64 / BYTES[type];
        m.reductions = reductions(type);
        run(m);
        m.at[0] = 60;
        m.at[1] = -2;
        run(m);
        m.fill = 1;
        run(m);
    }
    printf("# swizzles wider than the box, and at offsets\n");
    for (unsigned swizzle = 1; swizzle < 4; ++swizzle) {
        for (unsigned inner = 4; inner <= 4u << swizzle; inner *= 2) {
            for (unsigned offset = 0; offset <= 1024; offset += 128) {
                Mode m;
                m.swizzle = swizzle;
                m.box[0] = inner;
                m.box[1] = 16;
                m.offset = offset;
                m.reductions = 1;
                run(m);
            }
        }
    }
    printf("# element strides\n");
    for (unsigned step = 1; step <= 8; ++step) {
        for (unsigned swizzle = 0; swizzle < 4; swizzle += 3) {
            Mode m;
            m.type = 7;
            m.rank = 3;
            m.dims[2] = 9;
            m.box[0] = 32;
            m.box[1] = 12;
            m.box[2] = 5;
            m.steps[1] = step;
            m.steps[2] = 1 + step % 3;
            m.steps[0] = step == 3 ? 2 : 1;
            m.swizzle = swizzle;
            m.at[1] = step % 4 == 1 ? -1 : 3;
            m.reductions = 3;
            run(m);
        }
    }
    printf("# far coordinates\n");
    for (int far : {-1000000000, -100, 100, 1000000000}) {
        for (unsigned i = 0; i < 2; ++i) {
            Mode m;
            m.at[i] = far;
            m.reductions = 3;
            run(m);
        }
    }
    printf("# other numbers of bytes\n");
    for (int expected : {16, 240, 272}) {
        Mode m;
        m.expected = expected;
        run(m);
    }
    not_allowed();
    printf("# random\n");
    random_modes(120);
    return 0;
}
