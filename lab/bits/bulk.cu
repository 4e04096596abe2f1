// Random bulk copies and reductions in a cluster of 1, 2, 4 or 8 blocks: to compare a GPU with the emulator.
//
// Each seed has some copies, each of which one block of the cluster starts: between global and shared memory, to
// another block, to the blocks of a mask, or of a box of a tensor to these. A line has the copies, hashes of the shared
// memory of all blocks, and of global memory. See README.md.
#include "bits.h"

constexpr unsigned SHARED = 32 << 10;  // of a block: sources, then destinations
constexpr unsigned GLOBAL = 64 << 10;  // sources, then destinations
constexpr unsigned MOST_BLOCKS = 8;

struct Reduction {
    const char* name;
    Format format;
    bool to_shared;
};
const Reduction REDUCTIONS[] = {
    {"add.u32", INTEGER32, true}, {"add.s32", INTEGER32, true}, {"add.u64", INTEGER64, true},
    {"add.f32", FLOAT, false}, {"add.f64", DOUBLE, false},
    {"add.noftz.f16", HALF, false}, {"add.noftz.bf16", BFLOAT, false}, {"min.u32", INTEGER32, true},
    {"max.u32", INTEGER32, true}, {"min.s32", INTEGER32, true}, {"max.s32", INTEGER32, true},
    {"min.u64", INTEGER64, false}, {"max.u64", INTEGER64, false}, {"min.s64", INTEGER64, false},
    {"max.s64", INTEGER64, false}, {"min.f16", HALF, false}, {"max.f16", HALF, false},
    {"min.bf16", BFLOAT, false}, {"max.bf16", BFLOAT, false}, {"inc.u32", INTEGER32, true},
    {"dec.u32", INTEGER32, true}, {"and.b32", INTEGER32, true}, {"or.b32", INTEGER32, true},
    {"xor.b32", INTEGER32, true}, {"and.b64", INTEGER64, false}, {"or.b64", INTEGER64, false},
    {"xor.b64", INTEGER64, false},
};
constexpr unsigned COUNT = sizeof REDUCTIONS / sizeof *REDUCTIONS;

enum Kind { LOAD, MULTICAST, STORE, REDUCE, TO_BLOCK, REDUCE_IN_BLOCK, BOX, KINDS };
const char* const NAMES[] = {"load", "multicast", "store", "reduce", "to-block", "reduce-in-block", "box"};

struct Copy {
    Kind kind;
    unsigned issuer, target, mask, bytes, from, to, reduction;
    int at[2];
};

// A box of `rows` rows of 64 bytes.
constexpr unsigned ROW = 64;

std::string kernel(const std::vector<Copy>& copies, unsigned blocks, const unsigned* expected) {
    std::string text = HEAD;
    text += ".visible .entry copies(.param .align 64 .b8 map[128], .param .u64 image, .param .u64 dump, .param .u64 memory,"
            " .param .u64 state)\n.explicitcluster\n.reqnctapercluster " + str(blocks) + ", 1, 1\n{\n"
            ".shared .align 1024 .b8 box[" + str(SHARED + 16) + "];\n" + COPY_REGISTERS +
            ".reg .u32 %box, %object, %rank, %thread, %from, %to, %there, %c<2>, %polls, %done;\n.reg .u16 %mask;\n"
            ".reg .u64 %map, %image, %dump, %memory, %state, %place, %token;\n.reg .pred %first, %own;\n"
            "mov.u64 %map, map;\ncvta.param.u64 %map, %map;\nld.param.u64 %image, [image];\nld.param.u64 %dump, [dump];\n"
            "ld.param.u64 %memory, [memory];\nld.param.u64 %state, [state];\nmov.u32 %rank, %cluster_ctarank;\n"
            "mul.wide.u32 %token, %rank, " + str(SHARED) + ";\nadd.u64 %image, %image, %token;\n"
            "add.u64 %dump, %dump, %token;\nmul.wide.u32 %token, %rank, 4;\nadd.u64 %state, %state, %token;\n"
            "mov.u32 %box, box;\nadd.u32 %object, %box, " + str(SHARED) + ";\nmov.u32 %thread, %tid.x;\n"
            "setp.eq.u32 %first, %thread, 0;\n" + copy("IN", "%image", "%box", SHARED, true) +
            "@%first mbarrier.init.shared::cta.b64 [%object], 1;\n@%first fence.mbarrier_init.release.cluster;\n"
            "fence.proxy.async;\n";
    for (unsigned rank = 0; rank < blocks; ++rank)
        text += "setp.eq.and.u32 %own, %rank, " + str(rank) + ", %first;\n"
                "@%own mbarrier.arrive.expect_tx.shared::cta.b64 %token, [%object], " + str(expected[rank]) + ";\n";
    text += "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
    for (const Copy& c : copies) {
        const bool far = c.kind == TO_BLOCK || c.kind == REDUCE_IN_BLOCK || (c.kind == LOAD && c.target != c.issuer);
        const std::string reduction = REDUCTIONS[c.reduction].name, bytes = str(c.bytes);
        text += "setp.eq.and.u32 %own, %rank, " + str(c.issuer) + ", %first;\nadd.u32 %to, %box, " + str(c.to) +
                ";\nadd.u32 %from, %box, " + str(c.from) + ";\nmov.u32 %there, %object;\nmov.u16 %mask, " + str(c.mask) + ";\n";
        if (far) text += "mapa.shared::cluster.u32 %to, %to, " + str(c.target) + ";\nmapa.shared::cluster.u32 %there, %object, " +
                         str(c.target) + ";\n";
        const std::string global = "add.u64 %place, %memory, ", tracked = ".mbarrier::complete_tx::bytes";
        switch (c.kind) {
            case LOAD:
                text += global + str(c.from) + ";\n@%own cp.async.bulk.shared::cluster.global" + tracked +
                        " [%to], [%place], " + bytes + ", [%there];\n";
                break;
            case MULTICAST:
                text += global + str(c.from) + ";\n@%own cp.async.bulk.shared::cluster.global" + tracked +
                        ".multicast::cluster [%to], [%place], " + bytes + ", [%there], %mask;\n";
                break;
            case STORE:
                text += global + str(c.to) + ";\n@%own cp.async.bulk.global.shared::cta.bulk_group [%place], [%from], " +
                        bytes + ";\n";
                break;
            case REDUCE:
                text += global + str(c.to) + ";\n@%own cp.reduce.async.bulk.global.shared::cta.bulk_group." + reduction +
                        " [%place], [%from], " + bytes + ";\n";
                break;
            case TO_BLOCK:
                text += "@%own cp.async.bulk.shared::cluster.shared::cta" + tracked + " [%to], [%from], " + bytes +
                        ", [%there];\n";
                break;
            case REDUCE_IN_BLOCK:
                text += "@%own cp.reduce.async.bulk.shared::cluster.shared::cta" + tracked + "." + reduction +
                        " [%to], [%from], " + bytes + ", [%there];\n";
                break;
            default:
                text += "mov.b32 %c0, " + std::to_string(c.at[0]) + ";\nmov.b32 %c1, " + std::to_string(c.at[1]) +
                        ";\n@%own cp.async.bulk.tensor.2d.shared::cluster.global.tile" + tracked +
                        ".multicast::cluster [%to], [%map, {%c0, %c1}], [%there], %mask;\n";
        }
    }
    return text + "@%first cp.async.bulk.commit_group;\n@%first cp.async.bulk.wait_group 0;\n" + await("%object") +
           "@%first st.global.u32 [%state], %done;\nbar.sync 0;\nbarrier.cluster.arrive.aligned;\n"
           "barrier.cluster.wait.aligned;\n" + copy("OUT", "%dump", "%box", SHARED, false) + "ret;\n}\n";
}

int main(int count, char** arguments) {
    Memory *global = nullptr, *image = nullptr, *dump = nullptr, *state = nullptr;
    return each_seed(count, arguments, 0, 40, [&](uint64_t seed, const Record& record) {
        if (!global) {
            global = new Memory(GLOBAL), image = new Memory(MOST_BLOCKS * SHARED);
            dump = new Memory(MOST_BLOCKS * SHARED), state = new Memory(4 * MOST_BLOCKS);
        }
        Draw draw(seed);
        const unsigned blocks = 1u << draw.below(4), modes[] = {0, 2, 3}, swizzle = modes[draw.below(3)];
        uint32_t box[2] = {ROW / 4, static_cast<uint32_t>(draw.between(1, 40))}, steps[2] = {1, 1};
        uint64_t dims[2] = {48, 64}, strides[1] = {256};
        const Format* last = &INTEGER32;
        std::vector<Copy> copies;
        unsigned expected[MOST_BLOCKS] = {};
        // The next free bytes of the destinations.
        unsigned in_shared = SHARED / 2, in_global = GLOBAL / 2;
        for (int left = draw.between(1, 8); left > 0; --left) {
            Copy c{};
            c.kind = static_cast<Kind>(draw.below(KINDS));
            c.issuer = draw.below(blocks), c.target = draw.below(blocks), c.mask = draw.between(1, (1 << blocks) - 1);
            const bool to_global = c.kind == STORE || c.kind == REDUCE;
            const bool from_global = c.kind == LOAD || c.kind == MULTICAST || c.kind == BOX;
            c.bytes = 16 * (draw.one_in(4) ? draw.between(1, 160) : draw.between(1, 12));
            if (c.kind == BOX) c.bytes = box[1] * ROW, in_shared = (in_shared + 127) / 128 * 128;
            c.from = 16 * draw.below(((from_global ? GLOBAL : SHARED) / 2 - c.bytes) / 16 + 1);
            c.at[0] = 4 * draw.between(-4, 12), c.at[1] = draw.between(-10, 64);
            do c.reduction = draw.below(COUNT); while (c.kind == REDUCE_IN_BLOCK && !REDUCTIONS[c.reduction].to_shared);
            unsigned& next = to_global ? in_global : in_shared;
            next += 16 * draw.below(3) * (c.kind != BOX);
            c.to = next;
            // The mode of 128 bytes leaves a gap after each row of a box.
            next += c.kind == BOX && swizzle == 3 ? 2 * c.bytes : c.bytes;
            if (next > (to_global ? GLOBAL : SHARED)) break;
            if (c.kind == REDUCE || c.kind == REDUCE_IN_BLOCK) last = &REDUCTIONS[c.reduction].format;
            const unsigned receivers = c.kind == MULTICAST || c.kind == BOX ? c.mask : 1u << c.target;
            for (unsigned rank = 0; rank < blocks && !to_global; ++rank) expected[rank] += receivers >> rank & 1 ? c.bytes : 0;
            copies.push_back(c);
        }
        printf("%llu: %u blocks", static_cast<unsigned long long>(seed), blocks);
        for (const Copy& c : copies) {
            printf(", %s %u by %u", NAMES[c.kind], c.bytes, c.issuer);
            if (c.kind == MULTICAST || c.kind == BOX) printf(" mask %x", c.mask);
            else if (c.kind != STORE && c.kind != REDUCE) printf(" for %u", c.target);
            if (c.kind == REDUCE || c.kind == REDUCE_IN_BLOCK) printf(" %s", REDUCTIONS[c.reduction].name);
            if (c.kind == BOX) printf(" at %d %d", c.at[0], c.at[1]);
        }
        printf(":");
        Bytes of_global(GLOBAL), of_shared(MOST_BLOCKS * SHARED);
        const Spread spread = static_cast<Spread>(draw.below(SPREADS));
        fill(draw, of_global, 0, GLOBAL, *last, spread);
        fill(draw, of_shared, 0, of_shared.size(), *last, draw.one_in(2) ? spread : ANY);
        global->put(of_global), image->put(of_shared), dump->put(of_shared), state->put(Bytes(4 * MOST_BLOCKS));
        CUtensorMap map;
        CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, reinterpret_cast<void*>(global->at + 4096),
                                     dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                     static_cast<CUtensorMapSwizzle>(swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        const Module module(kernel(copies, blocks, expected));
        module.launch("copies", blocks, 128, {&map, &image->at, &dump->at, &global->at, &state->at});
        const Bytes shared = dump->get(MOST_BLOCKS * SHARED), memory = global->get(GLOBAL), done = state->get(4 * blocks);
        unsigned complete = 0;
        for (unsigned rank = 0; rank < blocks; ++rank) complete += done[4 * rank];
        printf(" shared %016llx global %016llx%s\n", static_cast<unsigned long long>(hash(shared)),
               static_cast<unsigned long long>(hash(memory)), complete == blocks ? "" : " (incomplete)");
        record.put(seed, "shared", of_shared, shared);
        record.put(seed, "global", of_global, memory);
    });
}
