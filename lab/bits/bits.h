// Parts of the programs in this folder: numbers from a seed, kernels from PTX text, hashes of memory, and changes of it.
#pragma once
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;

// SplitMix64, so that neighbouring seeds have nothing in common.
struct Draw {
    uint64_t state;
    explicit Draw(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 0x1234567) {}
    uint64_t bits() {
        uint64_t z = state += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint32_t below(uint32_t limit) { return static_cast<uint32_t>((bits() >> 32) % limit); }
    int between(int low, int high) { return low + static_cast<int>(below(static_cast<uint32_t>(high - low + 1))); }
    bool one_in(uint32_t many) { return below(many) == 0; }
};

// The spread of the numbers of a matrix or a tensor.
enum Spread { EXACT, NEAR, FAR, ANY, TINY, RARE, HUGE_ONES, ZEROS, SPREADS };

struct Format {
    int bytes, exponent, mantissa;  // bits of a floating-point number; no exponent: an integer
    bool has_infinity;
};
constexpr Format INTEGER8{1, 0, 8, false}, INTEGER16{2, 0, 16, false}, INTEGER32{4, 0, 32, false},
    INTEGER64{8, 0, 64, false}, HALF{2, 5, 10, true}, BFLOAT{2, 8, 7, true}, FLOAT{4, 8, 23, true},
    DOUBLE{8, 11, 52, true}, E4M3{1, 4, 3, false}, E5M2{1, 5, 2, true};

inline uint64_t number(Draw& draw, const Format& f, Spread spread) {
    const uint64_t random = draw.bits();
    if (f.exponent == 0) return spread == EXACT ? random & 3 : random;
    const uint64_t top = (1ull << f.exponent) - 1, bias = top / 2;
    const uint64_t sign = draw.bits() >> 63, fraction = random & ((1ull << f.mantissa) - 1);
    const uint64_t finite = f.has_infinity ? top - 1 : top - (fraction + 1 == 1ull << f.mantissa);
    const auto made = [&](uint64_t exponent, uint64_t fraction) {
        return (sign << f.exponent | exponent) << f.mantissa | fraction;
    };
    switch (spread) {
        case EXACT: return draw.one_in(3) ? made(0, 0) : made(bias + draw.below(2), 0);
        case NEAR: return made(bias + draw.below(6) - 3, fraction);
        case FAR: return made(draw.below(static_cast<uint32_t>(finite + 1)), fraction);
        case ANY: return made(random >> 53 & top, fraction);
        case TINY: return made(draw.one_in(4) ? draw.below(static_cast<uint32_t>(bias + 1)) : draw.below(2), fraction);
        case RARE:
            if (draw.one_in(60)) return made(top, draw.one_in(2) ? 0 : fraction);
            return made(bias + draw.below(6) - 3, fraction);
        case HUGE_ONES: return made(draw.one_in(2) ? finite - draw.below(3) : draw.below(4) + 1, fraction);
        default: return draw.one_in(4) ? made(bias, fraction) : made(0, 0);
    }
}

inline void fill(Draw& draw, Bytes& memory, size_t from, size_t to, const Format& f, Spread spread) {
    for (size_t i = from; i + f.bytes <= to; i += f.bytes) {
        const uint64_t bits = number(draw, f, spread);
        memcpy(&memory[i], &bits, f.bytes);
    }
}

inline uint64_t hash(const Bytes& bytes, uint64_t h = 0xcbf29ce484222325ull) {
    for (uint8_t b : bytes) h = (h ^ b) * 0x100000001b3ull;
    return h;
}

inline const char* name_of(CUresult result) {
    const char* name = "?";
    cuGetErrorName(result, &name);
    return name;
}

#define CHECK(call)                                                               \
    do {                                                                          \
        const CUresult result_ = (call);                                          \
        if (result_ != CUDA_SUCCESS) {                                            \
            printf(" %s at line %d\n", name_of(result_), __LINE__);               \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

// Memory of the device.
struct Memory {
    CUdeviceptr at = 0;
    explicit Memory(size_t bytes) { CHECK(cuMemAlloc(&at, bytes)); }
    void put(const Bytes& bytes) const { CHECK(cuMemcpyHtoD(at, bytes.data(), bytes.size())); }
    Bytes get(size_t bytes) const {
        Bytes all(bytes);
        CHECK(cuMemcpyDtoH(all.data(), at, bytes));
        return all;
    }
};

struct Module {
    CUmodule module = nullptr;
    explicit Module(const std::string& text) {
        char log[4096] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
        const CUresult result = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
        if (result != CUDA_SUCCESS) {
            printf(" %s\n%s\n%s\n", name_of(result), log, text.c_str());
            exit(1);
        }
    }
    ~Module() { cuModuleUnload(module); }
    void launch(const char* name, unsigned blocks, unsigned threads, std::vector<void*> arguments) const {
        CUfunction function;
        CHECK(cuModuleGetFunction(&function, module, name));
        CHECK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments.data(), nullptr));
        CHECK(cuCtxSynchronize());
    }
};

// Where all bytes go, if a file is named: for each memory the runs of bytes that differ from what was there before.
struct Record {
    FILE* file = nullptr;
    void put(uint64_t seed, const char* what, const Bytes& before, const Bytes& after) const {
        if (!file) return;
        std::string text = std::to_string(seed) + " " + what;
        for (size_t i = 0; i < after.size();) {
            if (after[i] == before[i]) { ++i; continue; }
            text += " " + std::to_string(i) + ":";
            // A run goes on over up to three bytes that are as before.
            size_t end = i + 1;
            for (size_t j = end; j < after.size() && j < end + 4; ++j)
                if (after[j] != before[j]) end = j + 1;
            char two[3];
            for (; i < end; ++i) snprintf(two, sizeof two, "%02x", after[i]), text += two;
        }
        fprintf(file, "%s\n", text.c_str());
    }
};

// `program FROM TO [FILE]`: calls `run` with each seed from FROM up to but not including TO.
template <class Run>
int each_seed(int count, char** arguments, uint64_t first, uint64_t last, Run run) {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    Record record;
    if (count > 2) first = strtoull(arguments[1], nullptr, 10), last = strtoull(arguments[2], nullptr, 10);
    if (count > 3) record.file = fopen(arguments[3], "a");
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    for (uint64_t seed = first; seed < last; ++seed) run(seed, record);
    if (record.file) fclose(record.file);
    return 0;
}

const char* const HEAD = ".version 8.4\n.target sm_90a\n.address_size 64\n";

inline std::string str(uint64_t number) { return std::to_string(number); }

// PTX: each thread of 128 copies its part of `bytes` bytes, from global to shared memory or back. It uses %i, %j, %k,
// %w0 to %w3, %g, %h and %p.
inline std::string copy(const char* label, const char* global, const char* shared, unsigned bytes, bool in) {
    const std::string l = label, load = in ? "ld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%g];\n"
                                           : "ld.shared.v4.u32 {%w0, %w1, %w2, %w3}, [%k];\n";
    const std::string store = in ? "st.shared.v4.u32 [%k], {%w0, %w1, %w2, %w3};\n"
                                 : "st.global.v4.u32 [%g], {%w0, %w1, %w2, %w3};\n";
    return "mov.u32 %i, %tid.x;\nshl.b32 %i, %i, 4;\n" + l + ":\nadd.u32 %k, " + shared +
           ", %i;\ncvt.u64.u32 %h, %i;\nadd.u64 %g, " + global + ", %h;\n" + load + store +
           "add.u32 %i, %i, 2048;\nsetp.lt.u32 %p, %i, " + str(bytes) + ";\n@%p bra " + l + ";\n";
}
const char* const COPY_REGISTERS = ".reg .u32 %i, %k, %w<4>;\n.reg .u64 %g, %h;\n.reg .pred %p;\n";

// PTX: waits for phase 0 of the object at register `object`, but not for ever. %done is 1 if it is complete.
inline std::string await(const char* object) {
    return std::string("mov.u32 %polls, 0;\nmov.u32 %done, 0;\nPOLL:\n"
                       "mbarrier.try_wait.parity.shared::cta.b64 %p, [") + object + "], 0, 20000;\n"
           "selp.u32 %done, 1, 0, %p;\n@%p bra POLLED;\nadd.u32 %polls, %polls, 1;\n"
           "setp.lt.u32 %p, %polls, 20000;\n@%p bra POLL;\nPOLLED:\n";
}
