// Texture reads in all modes, one line of bits for each case: run it on a GPU and under `cargo gpu-check`, and compare.
//
//   nvcc -arch=sm_75 -o modes lab/textures/modes.cu && ./modes > gpu.txt
//   cargo gpu-check lab/textures/modes.cu > emulated.txt
//   diff gpu.txt emulated.txt
//
// A line has the geometry, the format, the filter, the address mode, whether coordinates are normalized, and for each
// coordinate a hash of the four channels, or the first channel's bits where the format has one. With an argument
// (`./modes full`) each line has the bits of all four channels. The output is the same in each run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "shared.cuh"

enum Geometry { LINE, PLANE, VOLUME, LINES, PLANES, CUBE, CUBES, FETCH, PITCHED, GATHER };
const char* const GEOMETRIES[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "fetch", "pitched", "gather"};
enum Result { FLOATS, SIGNED, UNSIGNED };

struct Point {
    float x, y, z;
    int layer;
};

// PTX, for nvcc drops the channels that a format does not have.
#define READ_AS(geometry, at)                                                                   \
    switch (result) {                                                                           \
    case FLOATS: {                                                                              \
        float4 f;                                                                               \
        asm volatile("tex." geometry ".v4.f32.f32 {%0, %1, %2, %3}, [%4, " at "];"              \
                     : "=f"(f.x), "=f"(f.y), "=f"(f.z), "=f"(f.w)                               \
                     : "l"(t), "f"(p.x), "f"(p.y), "f"(p.z), "r"(p.layer));                     \
        d = make_uint4(__float_as_uint(f.x), __float_as_uint(f.y), __float_as_uint(f.z), __float_as_uint(f.w)); \
        break;                                                                                  \
    }                                                                                           \
    case SIGNED:                                                                                \
        asm volatile("tex." geometry ".v4.s32.f32 {%0, %1, %2, %3}, [%4, " at "];"              \
                     : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)                               \
                     : "l"(t), "f"(p.x), "f"(p.y), "f"(p.z), "r"(p.layer));                     \
        break;                                                                                  \
    default:                                                                                    \
        asm volatile("tex." geometry ".v4.u32.f32 {%0, %1, %2, %3}, [%4, " at "];"              \
                     : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)                               \
                     : "l"(t), "f"(p.x), "f"(p.y), "f"(p.z), "r"(p.layer));                     \
    }

__global__ void read(cudaTextureObject_t t, Geometry geometry, Result result, const Point* points, int n, uint4* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Point p = points[i];
    uint4 d = make_uint4(0, 0, 0, 0);
    switch (geometry) {
    case LINE: READ_AS("1d", "{%5}") break;
    case PLANE:
    case PITCHED: READ_AS("2d", "{%5, %6}") break;
    case VOLUME: READ_AS("3d", "{%5, %6, %7, %7}") break;
    case LINES: READ_AS("a1d", "{%8, %5}") break;
    case PLANES: READ_AS("a2d", "{%8, %5, %6, %6}") break;
    case CUBE: READ_AS("cube", "{%5, %6, %7, %7}") break;
    case CUBES: READ_AS("acube", "{%8, %5, %6, %7}") break;
    case FETCH:
        asm volatile("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
                     : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
                     : "l"(t), "r"(p.layer));
        break;
    case GATHER: {
        float4 f;
        asm volatile("tld4.r.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                     : "=f"(f.x), "=f"(f.y), "=f"(f.z), "=f"(f.w)
                     : "l"(t), "f"(p.x), "f"(p.y));
        d = make_uint4(__float_as_uint(f.x), __float_as_uint(f.y), __float_as_uint(f.z), __float_as_uint(f.w));
    }
    }
    out[i] = d;
}

struct Format {
    const char* name;
    cudaChannelFormatKind kind;
    int bits, channels;
    bool reads_fractions;
};

const Format FORMATS[] = {
    {"f32", cudaChannelFormatKindFloat, 32, 1, false},        {"f32x4", cudaChannelFormatKindFloat, 32, 4, false},
    {"f16x2", cudaChannelFormatKindFloat, 16, 2, false},      {"u8n", cudaChannelFormatKindUnsigned, 8, 1, true},
    {"s8nx4", cudaChannelFormatKindSigned, 8, 4, true},       {"u16nx2", cudaChannelFormatKindUnsigned, 16, 2, true},
    {"s16n", cudaChannelFormatKindSigned, 16, 1, true},       {"u8x4", cudaChannelFormatKindUnsigned, 8, 4, false},
    {"s16x2", cudaChannelFormatKindSigned, 16, 2, false},     {"u32", cudaChannelFormatKindUnsigned, 32, 1, false},
    {"s32x4", cudaChannelFormatKindSigned, 32, 4, false},
};

// Floats from -8 to 8, and integers of any bits.
std::vector<unsigned char> texels(const Format& format, size_t count)
{
    state = 12345;
    std::vector<unsigned char> all(count * format.channels * format.bits / 8);
    for (size_t i = 0; i < count * format.channels; i++) {
        uint32_t bits = random_bits() << 8 ^ random_bits();
        if (format.kind == cudaChannelFormatKindFloat && format.bits == 32) {
            float value = (int)(bits % 4096 - 2048) / 256.0f;
            memcpy(&bits, &value, 4);
        } else if (format.kind == cudaChannelFormatKindFloat) {
            // Half precision: a sign, an exponent from 12 to 17, a fraction.
            bits = (bits & 0x83ff) | (12 + bits / 65536 % 6) << 10;
        }
        memcpy(&all[i * format.bits / 8], &bits, format.bits / 8);
    }
    return all;
}

// Along one axis: texel centres, edges, between them, far outside, and no numbers.
std::vector<float> coordinates(int size, bool normalized)
{
    std::vector<float> all;
    const float parts[] = {0,          1.0f / 1024, 1.0f / 512, 1.0f / 256, 0.1f,   0.25f,
                           0.4990234f, 0.5f,        0.5019531f, 0.75f,      0.998f, 0.9999999f};
    for (int texel = -size - 1; texel <= 2 * size; texel++)
        for (float part : parts) all.push_back(normalized ? (texel + part) / size : texel + part);
    for (float far : {1e3f, -1e3f, 123456.78f, -98765.4f, 1e9f, -1e9f, 3e38f, -3e38f, 1e-30f, -1e-30f, -0.0f})
        all.push_back(far);
    for (uint32_t bits : {0x7f800000u, 0xff800000u, 0x7fffffffu, 0x7fc00000u, 0x00000001u}) {
        float value;
        memcpy(&value, &bits, 4);
        all.push_back(value);
    }
    return all;
}

std::vector<Point> points(Geometry geometry, const int size[3], bool normalized)
{
    std::vector<float> along[3];
    for (int axis = 0; axis < 3; axis++) along[axis] = coordinates(size[axis], normalized);
    std::vector<Point> all;
    state = 777;
    if (geometry == CUBE || geometry == CUBES) {
        for (int i = 0; i < 240; i++) {
            auto part = [] { return (int)(random_bits() % 513 - 256) / 128.0f; };
            float x = part(), y = part(), z = part();
            if (i < 27) x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
            all.push_back({x, y, z, (int)(random_bits() % 5) - 1});
        }
        return all;
    }
    for (int i = 0; i < 240; i++) {
        // The first axis in order, the others at random.
        float x = along[0][i % along[0].size()];
        float y = along[1][random_bits() % along[1].size()], z = along[2][random_bits() % along[2].size()];
        all.push_back({x, y, z, (int)(random_bits() % 9) - 2});
    }
    return all;
}

void report(const std::string& name, const std::vector<uint4>& all, int channels, bool full)
{
    printf("%s:", name.c_str());
    for (const uint4& d : all) {
        if (full)
            printf(" %08x.%08x.%08x.%08x", d.x, d.y, d.z, d.w);
        else if (channels == 1)
            printf(" %x", d.x);
        else
            printf(" %x", d.x * 2654435761u ^ d.y * 2246822519u ^ d.z * 3266489917u ^ d.w * 668265263u);
    }
    printf("\n");
}

void one(Geometry geometry, const Format& format, bool linear, cudaTextureAddressMode mode, bool normalized, bool full)
{
    bool is_cube = geometry == CUBE || geometry == CUBES;
    int layers = geometry == CUBE ? 6 : geometry == CUBES ? 18 : geometry == LINES || geometry == PLANES ? 3 : 0;
    int size[3] = {5, 3, 4};
    if (is_cube) size[0] = size[1] = 4;
    bool has_rows = geometry != LINE && geometry != LINES && geometry != FETCH;
    cudaExtent extent = make_cudaExtent(size[0], has_rows ? size[1] : 0, geometry == VOLUME ? size[2] : layers);
    size_t rows = has_rows ? size[1] : 1, slices = extent.depth ? extent.depth : 1;
    std::vector<unsigned char> bytes = texels(format, size[0] * rows * slices);
    size_t texel = format.bits / 8 * format.channels, row = size[0] * texel;
    auto bits = [&](int channel) { return channel < format.channels ? format.bits : 0; };
    cudaChannelFormatDesc channels = cudaCreateChannelDesc(bits(0), bits(1), bits(2), bits(3), format.kind);

    cudaResourceDesc resource = {};
    cudaArray_t array = nullptr;
    void* memory = nullptr;
    if (geometry == FETCH) {
        CHECK(cudaMalloc(&memory, bytes.size()));
        CHECK(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory;
        resource.res.linear.desc = channels;
        resource.res.linear.sizeInBytes = bytes.size();
    } else if (geometry == PITCHED) {
        size_t pitch;
        CHECK(cudaMallocPitch(&memory, &pitch, row, rows));
        CHECK(cudaMemcpy2D(memory, pitch, bytes.data(), row, row, rows, cudaMemcpyHostToDevice));
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = memory;
        resource.res.pitch2D.desc = channels;
        resource.res.pitch2D.width = size[0];
        resource.res.pitch2D.height = rows;
        resource.res.pitch2D.pitchInBytes = pitch;
    } else {
        unsigned flags = geometry == GATHER ? cudaArrayTextureGather : 0;
        if (is_cube) flags |= cudaArrayCubemap;
        if (layers && geometry != CUBE) flags |= cudaArrayLayered;
        CHECK(cudaMalloc3DArray(&array, &channels, extent, flags));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(bytes.data(), row, size[0], rows);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(size[0], rows, slices);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    cudaTextureDesc description = {};
    for (auto& each : description.addressMode) each = mode;
    description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    description.readMode = format.reads_fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    description.normalizedCoords = normalized;
    const float border[4] = {0.25f, -0.5f, 1, 2};
    memcpy(description.borderColor, border, sizeof border);
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    std::vector<Point> at = points(geometry, size, normalized);
    Point* points;
    uint4* out;
    std::vector<uint4> host(at.size());
    CHECK(cudaMalloc(&points, at.size() * sizeof(Point)));
    CHECK(cudaMalloc(&out, at.size() * sizeof(uint4)));
    CHECK(cudaMemcpy(points, at.data(), at.size() * sizeof(Point), cudaMemcpyHostToDevice));
    bool is_float = format.kind == cudaChannelFormatKindFloat || format.reads_fractions;
    Result result = is_float ? FLOATS : format.kind == cudaChannelFormatKindSigned ? SIGNED : UNSIGNED;
    read<<<(at.size() + 63) / 64, 64>>>(texture, geometry, result, points, at.size(), out);
    CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(uint4), cudaMemcpyDeviceToHost));

    const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
    std::string name = std::string(GEOMETRIES[geometry]) + " " + format.name + (linear ? " linear " : " point ");
    int shown = geometry == GATHER ? 4 : format.channels;
    report(name + modes[mode] + (normalized ? " normalized" : " texels"), host, shown, full);
    CHECK(cudaDestroyTextureObject(texture));
    if (array) CHECK(cudaFreeArray(array));
    if (memory) CHECK(cudaFree(memory));
    CHECK(cudaFree(points));
    CHECK(cudaFree(out));
}

int main(int count, char** arguments)
{
    bool full = count > 1 && !strcmp(arguments[1], "full");
    for (Geometry geometry : {LINE, PLANE, VOLUME, LINES, PLANES, CUBE, CUBES, FETCH, PITCHED, GATHER})
        for (const Format& format : FORMATS) {
            bool is_float = format.kind == cudaChannelFormatKindFloat || format.reads_fractions;
            // One format of each kind shows what the geometries have in common.
            bool is_chosen = geometry <= PLANE || !strcmp(format.name, "f32") || !strcmp(format.name, "u8x4");
            if (!is_chosen || (geometry == GATHER && !is_float)) continue;
            for (bool linear : {false, true})
                for (bool normalized : {false, true})
                    for (int mode = 0; mode < 4; mode++) {
                        bool is_cube = geometry == CUBE || geometry == CUBES;
                        bool wraps = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
                        if (linear && (!is_float || geometry == FETCH)) continue;
                        if (is_cube && (!normalized || mode != cudaAddressModeClamp)) continue;
                        if (geometry == FETCH && (normalized || mode != cudaAddressModeClamp)) continue;
                        if (wraps && !normalized) continue;
                        one(geometry, format, linear, (cudaTextureAddressMode)mode, normalized, full);
                    }
        }
}
