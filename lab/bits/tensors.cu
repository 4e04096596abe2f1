// Copies boxes of random tensors to shared memory and back, with reductions: to compare a GPU with the emulator.
//
// Each seed has a tensor map and coordinates, and prints a line: the map, the result of cuTensorMapEncodeTiled, a hash
// of all shared memory after a load, and of global memory after a store and after a reduction. See README.md.
#include "bits.h"

constexpr unsigned SHARED = 32 << 10;
constexpr unsigned GLOBAL = 1 << 19;
constexpr unsigned TENSOR = 1 << 18;

struct Element {
    const char* name;
    Format format;
    std::vector<const char*> reductions;
};
const Element ELEMENTS[] = {
    {"u8", INTEGER8, {}},
    {"u16", INTEGER16, {}},
    {"u32", INTEGER32, {"add", "min", "max", "inc", "dec", "and", "or", "xor"}},
    {"s32", INTEGER32, {"add", "min", "max", "and", "or", "xor"}},
    {"u64", INTEGER64, {"add", "min", "max", "and", "or", "xor"}},
    {"s64", INTEGER64, {"min", "max"}},
    {"f16", HALF, {"add", "min", "max"}},
    {"f32", FLOAT, {"add"}},
    {"f64", DOUBLE, {"add"}},
    {"bf16", BFLOAT, {"add", "min", "max"}},
    {"f32ftz", FLOAT, {"add"}},
    {"tf32", FLOAT, {}},
    {"tf32ftz", FLOAT, {}},
};

struct Map {
    unsigned type, rank, interleave, swizzle, promotion, fill, offset;
    bool overlaps;  // no stores then
    uint64_t base, dims[5], strides[5];
    uint32_t box[5], steps[5];
    int at[5];

    unsigned bytes_of(unsigned dimension) const {
        return dimension == 0 ? box[0] * ELEMENTS[type].format.bytes : (box[dimension] + steps[dimension] - 1) / steps[dimension];
    }
    unsigned box_bytes() const {
        unsigned bytes = 1;
        for (unsigned i = 0; i < rank; ++i) bytes *= bytes_of(i);
        return bytes;
    }
    // Bytes that the box takes in shared memory: a row has at least the span of the swizzle.
    unsigned extent() const {
        const unsigned span = swizzle ? 16u << swizzle : 0;
        return box_bytes() / bytes_of(0) * (bytes_of(0) < span ? span : bytes_of(0));
    }
    uint64_t tensor_bytes() const {
        uint64_t bytes = dims[0] * ELEMENTS[type].format.bytes + 15;
        for (unsigned i = 1; i < rank; ++i) bytes += (dims[i] - 1) * strides[i - 1];
        return bytes;
    }
};

Map drawn(Draw& draw, bool interleaved) {
    const unsigned highest[] = {0, 8, 24, 8, 5, 4};
    for (;;) {
        Map m{};
        m.type = draw.below(13);
        m.interleave = interleaved ? draw.between(1, 2) : 0;
        m.rank = interleaved ? draw.between(3, 5) : draw.between(1, 5);
        m.swizzle = m.interleave == 2 ? 1 : interleaved ? 0 : draw.below(4);
        m.promotion = draw.below(4);
        const Format& format = ELEMENTS[m.type].format;
        m.fill = format.exponent && draw.one_in(2);
        m.offset = 128 * draw.below(17);
        m.base = (interleaved ? 32 : 16) * draw.below(64);
        const unsigned unit = 16 / format.bytes, most = highest[m.rank];
        const bool overlaps = draw.one_in(8);
        for (unsigned i = 0; i < m.rank; ++i) {
            const unsigned row = interleaved ? m.interleave : m.swizzle ? 1u << m.swizzle : 16;
            m.box[i] = i == 0 ? unit * draw.between(1, row) : draw.between(1, most);
            m.dims[i] = i == 0 ? unit * draw.between(1, 12) : draw.between(1, 2 * most);
            m.steps[i] = draw.one_in(3) ? 2 : draw.one_in(16) ? draw.between(3, 8) : 1;
            const int span = static_cast<int>(m.box[i]);
            m.at[i] = draw.one_in(2) ? 0 : draw.one_in(3) ? draw.between(-span - 1, static_cast<int>(m.dims[i]) + span)
                                                         : static_cast<int>(draw.below(static_cast<unsigned>(m.dims[i])));
            if (i > 0 && draw.one_in(40)) m.at[i] = draw.one_in(2) ? INT32_MAX - draw.below(4) : INT32_MIN + draw.below(4);
            if (i == 0) m.at[0] = m.at[0] / static_cast<int>(unit) * static_cast<int>(unit);
            if (i == 0 && draw.one_in(40)) m.at[0] = draw.one_in(2) ? 1 << 30 : -(1 << 30);
        }
        if (m.interleave) m.at[0] = 0, m.dims[0] = unit * m.interleave * draw.between(1, 2);
        if (draw.one_in(2)) m.dims[0] -= draw.below(unit);
        uint64_t stride = (m.dims[0] * format.bytes + 15) / 16 * 16;
        for (unsigned i = 0; i + 1 < m.rank; ++i) {
            stride += 16 * (draw.one_in(2) ? 0 : draw.below(4));
            if (m.interleave) stride = (stride + 31) / 32 * 32;
            m.strides[i] = overlaps ? 32 * draw.between(1, 20) : stride;
            stride *= m.dims[i + 1];
        }
        m.overlaps = overlaps;
        if (m.box[0] <= 256 && m.tensor_bytes() <= TENSOR && m.extent() <= 24 << 10) return m;
    }
}

std::string coordinates(unsigned rank) {
    std::string s = "{";
    for (unsigned i = 0; i < rank; ++i) s += (i ? ", %c" : "%c") + str(i);
    return s + "}";
}

std::string kernels(const Map& m, const char* reduction) {
    const std::string rank = str(m.rank) + "d", place = "[%map, " + coordinates(m.rank) + "]";
    const std::string parameters =
        "(.param .align 64 .b8 map[128], .param .u64 image, .param .u64 dump, .param .u64 state)\n{\n"
        ".shared .align 1024 .b8 box[" + str(SHARED + 16) + "];\n" + COPY_REGISTERS +
        ".reg .u32 %box, %at, %object, %c<5>, %polls, %done, %thread;\n.reg .u64 %map, %image, %dump, %state, %token;\n"
        ".reg .pred %first;\n"
        "mov.u64 %map, map;\ncvta.param.u64 %map, %map;\nld.param.u64 %image, [image];\n"
        "ld.param.u64 %dump, [dump];\nld.param.u64 %state, [state];\n"
        "mov.u32 %box, box;\nadd.u32 %at, %box, " + str(m.offset) + ";\nadd.u32 %object, %box, " + str(SHARED) + ";\n"
        "mov.u32 %thread, %tid.x;\nsetp.eq.u32 %first, %thread, 0;\n" + copy("IN", "%image", "%box", SHARED, true);
    std::string at;
    for (unsigned i = 0; i < m.rank; ++i) at += "mov.b32 %c" + str(i) + ", " + std::to_string(m.at[i]) + ";\n";
    std::string text = HEAD;
    text += ".visible .entry load" + parameters + at +
            "@%first mbarrier.init.shared::cta.b64 [%object], 1;\n@%first fence.mbarrier_init.release.cluster;\n"
            "fence.proxy.async;\nbar.sync 0;\n"
            "@%first mbarrier.arrive.expect_tx.shared::cta.b64 %token, [%object], " + str(m.box_bytes()) + ";\n"
            "@%first cp.async.bulk.tensor." + rank + ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%at], " +
            place + ", [%object];\n" + await("%object") +
            "@%first st.global.u32 [%state], %done;\nbar.sync 0;\n" + copy("OUT", "%dump", "%box", SHARED, false) + "ret;\n}\n";
    for (unsigned which = 0; which < (reduction ? 2u : 1u); ++which) {
        const std::string begin = which ? "@%first cp.reduce.async.bulk.tensor." : "@%first cp.async.bulk.tensor.";
        text += std::string(".visible .entry ") + (which ? "reduce" : "store") + parameters + at +
                "fence.proxy.async;\nbar.sync 0;\n" + begin + rank + ".global.shared::cta" +
                (which ? std::string(".") + reduction : "") + ".tile.bulk_group " + place + ", [%at];\n"
                "@%first cp.async.bulk.commit_group;\n@%first cp.async.bulk.wait_group 0;\nret;\n}\n";
    }
    return text;
}

int main(int count, char** arguments) {
    // Seeds from here on have interleaved layouts.
    constexpr uint64_t INTERLEAVED = 1000000;
    Memory *global = nullptr, *image = nullptr, *dump = nullptr, *state = nullptr;
    return each_seed(count, arguments, 0, 40, [&](uint64_t seed, const Record& record) {
        if (!global) global = new Memory(GLOBAL), image = new Memory(SHARED), dump = new Memory(SHARED), state = new Memory(16);
        Draw draw(seed);
        Map m = drawn(draw, seed >= INTERLEAVED);
        const Element& element = ELEMENTS[m.type];
        printf("%llu: %s", static_cast<unsigned long long>(seed), element.name);
        for (unsigned i = 0; i < m.rank; ++i) printf(" %llu", static_cast<unsigned long long>(m.dims[i]));
        printf(" strides");
        for (unsigned i = 0; i + 1 < m.rank; ++i) printf(" %llu", static_cast<unsigned long long>(m.strides[i]));
        printf(" box");
        for (unsigned i = 0; i < m.rank; ++i) printf(" %u", m.box[i]);
        printf(" steps");
        for (unsigned i = 0; i < m.rank; ++i) printf(" %u", m.steps[i]);
        printf(" interleave %u swizzle %u fill %u at", m.interleave, m.swizzle, m.fill);
        for (unsigned i = 0; i < m.rank; ++i) printf(" %d", m.at[i]);
        printf(" offset %u:", m.offset);
        CUtensorMap map;
        const CUresult result = cuTensorMapEncodeTiled(
            &map, static_cast<CUtensorMapDataType>(m.type), m.rank, reinterpret_cast<void*>(global->at + m.base), m.dims,
            m.strides, m.box, m.steps, static_cast<CUtensorMapInterleave>(m.interleave),
            static_cast<CUtensorMapSwizzle>(m.swizzle), static_cast<CUtensorMapL2promotion>(m.promotion),
            static_cast<CUtensorMapFloatOOBfill>(m.fill));
        if (result != CUDA_SUCCESS) {
            printf(" %s\n", name_of(result));
            return;
        }
        Bytes of_global(GLOBAL), of_shared(SHARED), none(16);
        const Spread spread = static_cast<Spread>(draw.below(SPREADS));
        fill(draw, of_global, 0, GLOBAL, element.format, spread);
        fill(draw, of_shared, 0, SHARED, element.format, draw.one_in(2) ? spread : ANY);
        const char* reduction =
            element.reductions.empty() ? nullptr : element.reductions[draw.below(static_cast<uint32_t>(element.reductions.size()))];
        const Module module(kernels(m, reduction));
        std::vector<void*> all = {&map, &image->at, &dump->at, &state->at};
        global->put(of_global), image->put(of_shared), state->put(none);
        module.launch("load", 1, 128, all);
        const Bytes loaded = dump->get(SHARED);
        printf(" load %016llx%s", static_cast<unsigned long long>(hash(loaded)), state->get(4)[0] ? "" : " (incomplete)");
        record.put(seed, "load", of_shared, loaded);
        bool below = false;
        for (unsigned i = 0; i < m.rank; ++i) below |= m.at[i] < 0;
        for (unsigned which = 0; which < (reduction ? 2u : 1u) && !below && !m.overlaps; ++which) {
            global->put(of_global);
            module.launch(which ? "reduce" : "store", 1, 128, all);
            const Bytes after = global->get(GLOBAL);
            printf(" %s %016llx", which ? reduction : "store", static_cast<unsigned long long>(hash(after)));
            record.put(seed, which ? reduction : "store", of_global, after);
        }
        printf("\n");
    });
}
