// Random products of warpgroups and of warps: to compare a GPU with the emulator.
//
// Each seed has a form of `wgmma.mma_async` (types, columns, where A comes from, layouts, signs), one to three of these
// products on the same accumulators, and matrices. Some have `mma.sync` instead. A line has the form and a hash of all
// bits of D. Shared memory is filled with random elements, so a wrong address gives another hash. See README.md.
#include "bits.h"
#include <algorithm>

constexpr unsigned SHARED = 48 << 10;
constexpr unsigned OF_B = 16 << 10;
constexpr unsigned MOST = 128;  // registers of D in a lane

struct Type {
    const char* name;
    Format format;
    unsigned k;
};
const Type F16{"f16", HALF, 16}, BF16{"bf16", BFLOAT, 16}, TF32{"tf32", FLOAT, 8}, BYTE3{"e4m3", E4M3, 32},
    BYTE2{"e5m2", E5M2, 32}, S8{"s8", INTEGER8, 32}, U8{"u8", INTEGER8, 32};

struct Pair {
    Type a, b;
    const char* d;
};
const Pair PAIRS[] = {{F16, F16, "f32"}, {F16, F16, "f16"}, {BF16, BF16, "f32"}, {TF32, TF32, "f32"},
                      {BYTE3, BYTE3, "f32"}, {BYTE3, BYTE2, "f32"}, {BYTE2, BYTE3, "f32"}, {BYTE2, BYTE2, "f32"},
                      {BYTE3, BYTE3, "f16"}, {BYTE3, BYTE2, "f16"}, {BYTE2, BYTE3, "f16"}, {BYTE2, BYTE2, "f16"},
                      {S8, S8, "s32"}, {S8, U8, "s32"}, {U8, S8, "s32"}, {U8, U8, "s32"}};

struct Layout {
    unsigned mode, leading, stride, start, base;
    bool transposed;

    uint64_t bits(unsigned at) const {
        return uint64_t((at + start) >> 4) | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
               uint64_t(base) << 49 | uint64_t(mode) << 62;
    }
    unsigned width() const { const unsigned widths[] = {1, 8, 4, 2}; return widths[mode]; }
    // An upper bound of the bytes that it covers.
    unsigned extent(unsigned rows, unsigned k, unsigned per_piece) const {
        if (!transposed) return start + 8 * width() * 16 + (rows / 8 - 1) * stride + leading * (mode == 0) + 128;
        const unsigned groups = (rows / per_piece - 1) / width(), eights = k / 8 - 1;
        const unsigned by_group = mode == 0 ? stride : leading, by_eight = mode == 0 ? leading : stride;
        return start + 8 * width() * 16 + groups * by_group + eights * by_eight + 128;
    }
};

struct Form {
    Pair types;
    bool of_warp, in_registers, saturates, negates_a, negates_b, plain;
    unsigned n, k, count;
    Layout a[3], b[3];
    bool adds[3];
    unsigned accumulators() const { return of_warp ? (types.d[1] == '1' ? 2 : 4) : types.d[1] == '1' ? n / 4 : n / 2; }
};

Layout drawn(Draw& draw, const Form& form, bool of_b) {
    const Type& type = of_b ? form.types.b : form.types.a;
    const unsigned rows = of_b ? form.n : 64, limit = of_b ? SHARED - OF_B : OF_B;
    if (form.plain) return {0, 128, 256, 0, 0, false};
    for (;;) {
        Layout l{};
        l.mode = draw.below(4);
        l.transposed = type.format.bytes == 2 && !(form.in_registers && !of_b) && draw.one_in(2);
        const unsigned step = draw.one_in(2) ? 128 : 16;
        l.leading = step * draw.between(1, 8192 / step), l.stride = step * draw.between(1, 2048 / step);
        if (l.mode && draw.one_in(2)) l.start = 16 * draw.below(64);
        if (l.mode == 0) l.start = 16 * draw.below(4);
        if (l.mode && draw.one_in(3)) l.base = draw.below(8);
        if (l.extent(rows, type.k, 16 / type.format.bytes) <= limit) return l;
    }
}

Form drawn(Draw& draw) {
    Form f{};
    f.of_warp = draw.one_in(4);
    f.types = PAIRS[draw.below(sizeof PAIRS / sizeof *PAIRS)];
    const bool is_integer = f.types.d[0] == 's';
    // `mma.sync` of bytes has an f16 result only from PTX 8.7 on.
    if (f.of_warp && f.types.a.format.bytes == 1 && !is_integer) f.types.d = "f32";
    f.k = f.types.a.k;
    if (f.of_warp && draw.one_in(3)) f.k /= 2;
    // mma.sync with e4m3 and e5m2 has one k.
    if (f.types.a.format.bytes == 1 && !is_integer) f.k = 32;
    f.plain = draw.one_in(3);
    f.n = 8 * draw.between(1, draw.one_in(2) ? 32 : 4);
    if (is_integer && f.n > 32) f.n = f.n / 16 * 16;
    f.count = f.plain ? 1 : draw.between(1, 3);
    f.in_registers = f.of_warp || draw.one_in(3);
    f.saturates = is_integer && draw.one_in(2);
    f.negates_a = !f.of_warp && !is_integer && draw.one_in(3), f.negates_b = !f.of_warp && !is_integer && draw.one_in(3);
    if (f.of_warp) f.n = 8, f.count = 1;
    for (unsigned i = 0; i < f.count; ++i) {
        f.a[i] = drawn(draw, f, false), f.b[i] = drawn(draw, f, true);
        f.adds[i] = f.of_warp || !draw.one_in(5);
    }
    // All products of a seed have the same major dimensions, which are constants of the instruction.
    for (unsigned i = 1; i < f.count; ++i) {
        while (f.a[i].transposed != f.a[0].transposed) f.a[i] = drawn(draw, f, false);
        while (f.b[i].transposed != f.b[0].transposed) f.b[i] = drawn(draw, f, true);
    }
    return f;
}

std::string list(const char* name, unsigned count) {
    std::string s = "{";
    for (unsigned i = 0; i < count; ++i) s += (i ? ", %" : "%") + std::string(name) + str(i);
    return s + "}";
}

std::string product(const Form& f, unsigned which) {
    const std::string types = std::string(f.types.a.name) + "." + f.types.b.name;
    const std::string d = list("d", f.accumulators());
    if (f.of_warp) {
        // Registers of A and B.
        const unsigned words = f.k * f.types.a.format.bytes / 8;
        return "mma.sync.aligned.m16n8k" + str(f.k) + ".row.col" + (f.saturates ? ".satfinite." : ".") + f.types.d + "." + types +
               "." + f.types.d + " " + d + ", " + list("a", words) + ", " + list("b", words / 2) + ", " + d + ";\n";
    }
    std::string text = "wgmma.mma_async.sync.aligned.m64n" + str(f.n) + "k" + str(f.k) +
                       (f.saturates ? ".satfinite." : ".") + f.types.d + "." + types + " " + d + ", " +
                       (f.in_registers ? list("a", 4) : "%of_a" + str(which)) + ", %of_b" + str(which) + ", %adds" + str(which);
    const auto sign = [](bool negates) { return negates ? ", -1" : ", 1"; };
    if (f.types.d[0] != 's') text = text + sign(f.negates_a) + sign(f.negates_b);
    const auto major = [](bool transposed) { return transposed ? ", 1" : ", 0"; };
    if (f.types.a.format.bytes == 2 && !f.in_registers) text += major(f.a[which].transposed);
    if (f.types.a.format.bytes == 2) text += major(f.b[which].transposed);
    return text + ";\n";
}

std::string kernel(const Form& f) {
    const char* type = f.types.d[1] == '3' && f.types.d[0] == 'f' ? "f32" : "b32";
    std::string text = HEAD;
    text += ".visible .entry product(.param .u64 image, .param .u64 fragments, .param .u64 old, .param .u64 out)\n{\n"
            ".shared .align 1024 .b8 box[" + str(SHARED) + "];\n" + COPY_REGISTERS + ".reg ." + type + " %d<" + str(MOST) +
            ">;\n.reg .b32 %a<4>, %b<2>, %box, %t, %value;\n.reg .b64 %image, %fragments, %old, %out, %offset, %start,"
            " %of_a<3>, %of_b<3>;\n.reg .pred %adds<3>;\n"
            "ld.param.u64 %image, [image];\nld.param.u64 %fragments, [fragments];\nld.param.u64 %old, [old];\n"
            "ld.param.u64 %out, [out];\nmov.u32 %box, box;\n" + copy("IN", "%image", "%box", SHARED, true) +
            "fence.proxy.async;\nbar.sync 0;\nmov.u32 %t, %tid.x;\n";
    const unsigned registers = f.accumulators();
    text += "mul.wide.u32 %offset, %t, " + str(4 * registers) + ";\nadd.u64 %old, %old, %offset;\nadd.u64 %out, %out, %offset;\n"
            "mul.wide.u32 %offset, %t, 24;\nadd.u64 %fragments, %fragments, %offset;\n";
    for (unsigned i = 0; i < registers; ++i)
        text += std::string("ld.global.") + type + " %d" + str(i) + ", [%old + " + str(4 * i) + "];\n";
    for (unsigned i = 0; i < 6; ++i)
        text += "ld.global.b32 %" + std::string(i < 4 ? "a" : "b") + str(i % 4) + ", [%fragments + " + str(4 * i) + "];\n";
    text += "cvt.u64.u32 %start, %box;\nshr.u64 %start, %start, 4;\n";
    for (unsigned i = 0; i < f.count && !f.of_warp; ++i)
        text += "mov.u32 %value, " + str(f.adds[i]) + ";\nsetp.ne.b32 %adds" + str(i) + ", %value, 0;\n" +
                "add.u64 %of_a" + str(i) + ", %start, " + str(f.a[i].bits(0)) + ";\nadd.u64 %of_b" + str(i) + ", %start, " +
                str(f.b[i].bits(OF_B)) + ";\n";
    if (!f.of_warp) text += "wgmma.fence.sync.aligned;\n";
    for (unsigned i = 0; i < f.count; ++i) text += product(f, i);
    if (!f.of_warp) text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
    for (unsigned i = 0; i < registers; ++i)
        text += std::string("st.global.") + type + " [%out + " + str(4 * i) + "], %d" + str(i) + ";\n";
    return text + "ret;\n}\n";
}

const char* const SPREAD_NAMES[] = {"exact", "near", "far", "any", "tiny", "rare", "huge", "zeros"};

struct Matrices {
    Bytes image, fragments, old;
};

Matrices matrices(Draw& draw, const Form& f, std::string& spreads) {
    Matrices m{Bytes(SHARED), Bytes(128 * 24), Bytes(128 * 4 * MOST)};
    const Spread of_a = static_cast<Spread>(draw.below(SPREADS)), of_b = draw.one_in(2) ? of_a : static_cast<Spread>(draw.below(SPREADS));
    const Spread of_d = draw.one_in(3) ? ZEROS : draw.one_in(2) ? of_a : static_cast<Spread>(draw.below(SPREADS));
    fill(draw, m.image, 0, OF_B, f.types.a.format, of_a);
    fill(draw, m.image, OF_B, SHARED, f.types.b.format, of_b);
    for (unsigned thread = 0; thread < 128; ++thread) {
        fill(draw, m.fragments, thread * 24, thread * 24 + 16, f.types.a.format, of_a);
        fill(draw, m.fragments, thread * 24 + 16, thread * 24 + 24, f.types.b.format, of_b);
    }
    fill(draw, m.old, 0, m.old.size(), f.types.d[0] == 's' ? INTEGER32 : f.types.d[1] == '1' ? HALF : FLOAT, of_d);
    spreads = std::string(SPREAD_NAMES[of_a]) + " " + SPREAD_NAMES[of_b] + " " + SPREAD_NAMES[of_d];
    return m;
}

void print(const Form& f, const std::string& spreads) {
    printf("%s n%u k%u %s.%s.%s%s%s%s%s %s", f.of_warp ? "mma" : "wgmma", f.n, f.k, f.types.d, f.types.a.name, f.types.b.name,
           f.in_registers ? " registers" : "", f.saturates ? " satfinite" : "", f.negates_a ? " -a" : "",
           f.negates_b ? " -b" : "", spreads.c_str());
    for (unsigned i = 0; i < f.count && !f.of_warp; ++i) {
        for (const Layout* l : {f.a + i, f.b + i})
            printf("%s %s%u %u %u %u %u", l == f.a + i ? ";" : " by", l->transposed ? "t" : "", l->mode, l->leading, l->stride, l->start, l->base);
        printf(f.adds[i] ? "" : " alone");
    }
}

#ifndef NO_MAIN
int main(int count, char** arguments) {
    Memory *image = nullptr, *fragments = nullptr, *old = nullptr, *out = nullptr;
    return each_seed(count, arguments, 0, 40, [&](uint64_t seed, const Record& record) {
        if (!image) {
            image = new Memory(SHARED), fragments = new Memory(128 * 24);
            old = new Memory(128 * 4 * MOST), out = new Memory(128 * 4 * MOST);
        }
        Draw draw(seed);
        const Form form = drawn(draw);
        std::string spreads;
        const Matrices m = matrices(draw, form, spreads);
        printf("%llu: ", static_cast<unsigned long long>(seed));
        print(form, spreads);
        image->put(m.image), fragments->put(m.fragments), old->put(m.old);
        const Module module(kernel(form));
        const unsigned threads = form.of_warp ? 32 : 128, bytes = threads * 4 * form.accumulators();
        out->put(Bytes(bytes, 0xcc));
        module.launch("product", 1, threads, {&image->at, &fragments->at, &old->at, &out->at});
        const Bytes result = out->get(bytes);
        printf(": %016llx\n", static_cast<unsigned long long>(hash(result)));
        // Enough to see a difference.
        const Bytes begin(result.begin(), result.begin() + std::min(bytes, 8192u));
        Bytes none(begin);
        for (uint8_t& byte : none) byte = ~byte;
        record.put(seed, "d", none, begin);
    });
}
#endif
