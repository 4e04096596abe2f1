// Reads of textures with mipmap levels, sRGB-encoded texels, seamless cube maps and resource views: run it on a GPU and
// under `cargo gpu-check`, and compare.
//
//   nvcc -arch=sm_75 -o levels lab/textures/levels.cu && ./levels > gpu.txt
//   cargo gpu-check lab/textures/levels.cu > emulated.txt
//   diff gpu.txt emulated.txt
//
// A line has the case, and for each read the bits of four channels. The output is the same in each run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "shared.cuh"

enum Access { LINE, PLANE, VOLUME, LINES, PLANES, CUBE, CUBES, BASE, FETCH, GRADIENT, GATHER, GATHER_CUBE };
const char* const NAMES[] = {"1d",   "2d",    "3d",       "a1d",    "a2d",        "cube", "acube", "base 2d", "fetch 2d",
                             "grad", "tld4",  "tld4 cube"};

struct Point {
    float x, y, z, level;
    int layer;
};

#define RESULTS "=f"(f.x), "=f"(f.y), "=f"(f.z), "=f"(f.w)
#define READ(instruction, at)                                                                   \
    asm volatile(instruction " {%0, %1, %2, %3}, [%4, " at ";"                                  \
                 : RESULTS                                                                      \
                 : "l"(t), "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.level), "r"(p.layer))

__global__ void read(cudaTextureObject_t t, Access access, bool integers, const Point* points, int n, float4* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Point p = points[i];
    float4 f = make_float4(0, 0, 0, 0);
    switch (access) {
    case LINE: READ("tex.level.1d.v4.f32.f32", "{%5}], %8"); break;
    case PLANE:
        if (integers) {
            uint4 d;
            asm volatile("tex.level.2d.v4.s32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
                         : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
                         : "l"(t), "f"(p.x), "f"(p.y), "f"(p.level));
            f = make_float4(__uint_as_float(d.x), __uint_as_float(d.y), __uint_as_float(d.z), __uint_as_float(d.w));
        } else
            READ("tex.level.2d.v4.f32.f32", "{%5, %6}], %8");
        break;
    case VOLUME: READ("tex.level.3d.v4.f32.f32", "{%5, %6, %7, %7}], %8"); break;
    case LINES: READ("tex.level.a1d.v4.f32.f32", "{%9, %5}], %8"); break;
    case PLANES: READ("tex.level.a2d.v4.f32.f32", "{%9, %5, %6, %6}], %8"); break;
    case CUBE: READ("tex.level.cube.v4.f32.f32", "{%5, %6, %7, %7}], %8"); break;
    case CUBES: READ("tex.level.acube.v4.f32.f32", "{%9, %5, %6, %7}], %8"); break;
    case BASE: READ("tex.2d.v4.f32.f32", "{%5, %6}]"); break;
    case FETCH:
        asm volatile("tex.level.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
                     : RESULTS
                     : "l"(t), "r"((int)(8 * p.x)), "r"((int)(8 * p.y)), "r"(p.layer));
        break;
    case GRADIENT: READ("tex.grad.1d.v4.f32.f32", "{%5}], {%6}, {0f00000000}"); break;
    case GATHER: READ("tld4.g.2d.v4.f32.f32", "{%5, %6}]"); break;
    case GATHER_CUBE: READ("tld4.r.cube.v4.f32.f32", "{%5, %6, %7, %7}]"); break;
    }
    out[i] = f;
}

float part() { return (random_bits() % 4097) / 4096.0f; }

std::vector<Point> points(Access access)
{
    std::vector<Point> all;
    state = 2718;
    for (int i = 0; i < 200; i++) {
        Point p = {3 * part() - 1, 3 * part() - 1, 3 * part() - 1, 6 * part() - 1, (int)(random_bits() % 6) - 1};
        if (access == CUBE || access == CUBES || access == GATHER_CUBE) {
            p.x = 2 * part() - 1, p.y = 2 * part() - 1, p.z = 2 * part() - 1;
            // Half of them lie near an edge, some of those near a corner.
            float* const axes[] = {&p.x, &p.y, &p.z};
            if (i % 2) *axes[i / 2 % 3] = i & 4 ? 1 : -1;
            if (i % 4 == 3) *axes[(i / 2 + 1) % 3] = (i & 8 ? 1 : -1) * (1 - part() / 4);
            if (i % 8 == 7) *axes[(i / 2 + 2) % 3] = (i & 16 ? 1 : -1) * (1 - part() / 4);
        }
        all.push_back(p);
    }
    return all;
}

struct Format {
    const char* name;
    cudaChannelFormatDesc channels;
    cudaTextureReadMode mode;
    bool srgb;
};

const Format FLOATS = {"f32", cudaCreateChannelDesc<float>(), cudaReadModeElementType, false};
const Format INTEGERS = {"s32", cudaCreateChannelDesc<int>(), cudaReadModeElementType, false};
const Format FORMATS[] = {
    FLOATS,
    {"f16x2", cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat), cudaReadModeElementType, false},
    {"u8nx4", cudaCreateChannelDesc<uchar4>(), cudaReadModeNormalizedFloat, false},
    {"s8nx4", cudaCreateChannelDesc<char4>(), cudaReadModeNormalizedFloat, false},
    {"u16nx2", cudaCreateChannelDesc<ushort2>(), cudaReadModeNormalizedFloat, false},
    {"s16nx2", cudaCreateChannelDesc<short2>(), cudaReadModeNormalizedFloat, false},
    {"srgb", cudaCreateChannelDesc<unsigned char>(), cudaReadModeNormalizedFloat, true},
    {"srgbx2", cudaCreateChannelDesc<uchar2>(), cudaReadModeNormalizedFloat, true},
    {"srgbx4", cudaCreateChannelDesc<uchar4>(), cudaReadModeNormalizedFloat, true},
};

// Floats from -128 to 128, and integers of any bits.
void fill(cudaArray_t array, const Format& format, cudaExtent extent, int level)
{
    size_t bytes = (format.channels.x + format.channels.y + format.channels.z + format.channels.w) / 8;
    size_t rows = std::max<size_t>(extent.height, 1), slices = std::max<size_t>(extent.depth, 1);
    std::vector<unsigned char> texels(extent.width * rows * slices * bytes);
    state = 31415 + level;
    size_t component = format.channels.x / 8;
    for (size_t i = 0; i < texels.size() / component; i++) {
        uint32_t bits = random_bits() << 8 ^ random_bits();
        if (format.channels.f == cudaChannelFormatKindFloat && component == 4) {
            float value = (int)(bits % 65536) / 256.0f - 128;
            memcpy(&bits, &value, 4);
        } else if (format.channels.f == cudaChannelFormatKindFloat) {
            // Half precision: a sign, an exponent from 12 to 17, a fraction.
            bits = (bits & 0x83ff) | (12 + bits / 65536 % 6) << 10;
        }
        memcpy(&texels[i * component], &bits, component);
    }
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), extent.width * bytes, extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
}

// What a case has beside its access and its format.
struct Sampling {
    bool linear, linear_levels, seamless;
    cudaTextureAddressMode mode;
    float bias, least, most;
    const cudaResourceViewDesc* view;
};

void one(Access access, const Format& format, const Sampling& sampling, const char* more)
{
    bool is_cube = access == CUBE || access == CUBES || access == GATHER_CUBE;
    bool is_line = access == LINE || access == LINES || access == GRADIENT;
    bool is_layered = access == LINES || access == PLANES || access == CUBES;
    size_t slices = access == VOLUME ? 8 : access == CUBES ? 12 : is_cube ? 6 : is_layered ? 3 : 0;
    cudaExtent extent = make_cudaExtent(8, is_line ? 0 : 8, slices);
    unsigned flags = (is_cube ? cudaArrayCubemap : 0) | (is_layered ? cudaArrayLayered : 0);
    if (access == GATHER) flags |= cudaArrayTextureGather;
    cudaMipmappedArray_t array;
    CHECK(cudaMallocMipmappedArray(&array, &format.channels, extent, 4, flags));
    for (int level = 0; level < 4; level++) {
        cudaArray_t part;
        CHECK(cudaGetMipmappedArrayLevel(&part, array, level));
        size_t size = 8 >> level;
        fill(part, format, make_cudaExtent(size, is_line ? 0 : size, access == VOLUME ? size : slices), level);
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    cudaTextureDesc description = {};
    for (auto& each : description.addressMode) each = sampling.mode;
    description.filterMode = sampling.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    description.mipmapFilterMode = sampling.linear_levels ? cudaFilterModeLinear : cudaFilterModePoint;
    description.readMode = format.mode;
    description.sRGB = format.srgb;
    description.normalizedCoords = 1;
    description.seamlessCubemap = sampling.seamless;
    description.mipmapLevelBias = sampling.bias;
    description.minMipmapLevelClamp = sampling.least;
    description.maxMipmapLevelClamp = sampling.most;
    const float border[4] = {0.25f, -0.5f, 0.7f, 2};
    memcpy(description.borderColor, border, sizeof border);
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, sampling.view));

    std::vector<Point> at = points(access);
    Point* points;
    float4* out;
    std::vector<uint4> host(at.size());
    CHECK(cudaMalloc(&points, at.size() * sizeof(Point)));
    CHECK(cudaMalloc(&out, at.size() * sizeof(float4)));
    CHECK(cudaMemcpy(points, at.data(), at.size() * sizeof(Point), cudaMemcpyHostToDevice));
    bool integers = format.channels.f == cudaChannelFormatKindSigned && format.mode == cudaReadModeElementType;
    read<<<(at.size() + 63) / 64, 64>>>(texture, access, integers, points, at.size(), out);
    CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(uint4), cudaMemcpyDeviceToHost));
    const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
    printf("%s %s %s%s%s %s%s:", NAMES[access], format.name, sampling.linear ? "linear" : "point",
           sampling.linear_levels ? " linear-levels" : "", sampling.seamless ? " seamless" : "", modes[sampling.mode], more);
    for (const uint4& d : host) printf(" %08x.%08x.%08x.%08x", d.x, d.y, d.z, d.w);
    printf("\n");
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(array));
    CHECK(cudaFree(points));
    CHECK(cudaFree(out));
}

int main()
{
    const auto clamp = cudaAddressModeClamp;
    for (Access access : {LINE, PLANE, VOLUME, LINES, PLANES, CUBE, CUBES})
        for (const Format& format : FORMATS)
            for (bool linear : {false, true})
                for (bool levels : {false, true})
                    for (auto mode : {cudaAddressModeWrap, clamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
                        bool is_cube = access == CUBE || access == CUBES;
                        if (is_cube && mode != clamp) continue;
                        // One format of each kind shows what the geometries have in common.
                        if (access != PLANE && &format != &FORMATS[0] && strcmp(format.name, "srgbx4")) continue;
                        one(access, format, {linear, levels, false, mode, 0, 0, 99, nullptr}, "");
                        if (is_cube) one(access, format, {linear, levels, true, mode, 0, 0, 99, nullptr}, "");
                    }
    one(PLANE, INTEGERS, {false, true, false, clamp, 0, 0, 99, nullptr}, "");
    one(GATHER, FORMATS[1], {false, false, false, clamp, 0, 1, 99, nullptr}, "");
    for (bool seamless : {false, true}) one(GATHER_CUBE, FLOATS, {true, false, seamless, clamp, 0, 0, 99, nullptr}, "");
    const float clamps[][3] = {{0.3f, 0, 99}, {-0.7f, 0, 99}, {20, 0, 99}, {0, 1, 2.5f}, {0, 0.25f, 1.3f}, {0, 2, 1}, {1, 2.6f, 2.6f}};
    for (Access access : {PLANE, BASE, FETCH, GRADIENT})
        for (bool levels : {false, true})
            for (const auto& [bias, least, most] : clamps) {
                std::string more = " " + std::to_string(bias) + " " + std::to_string(least) + " " + std::to_string(most);
                one(access, FLOATS, {true, levels, false, clamp, bias, least, most, nullptr}, more.c_str());
            }
    cudaResourceViewDesc view = {};
    view.width = view.height = 8;
    for (auto format : {cudaResViewFormatFloat1, cudaResViewFormatHalf2})
        for (unsigned first : {0, 1, 2}) {
            view.format = format;
            view.firstMipmapLevel = first;
            view.lastMipmapLevel = 2;
            std::string more = " view " + std::to_string(format) + " from " + std::to_string(first);
            one(PLANE, FLOATS, {true, true, false, clamp, 0, 0, 99, &view}, more.c_str());
        }
    view = {cudaResViewFormatFloat1, 8, 8, 3, 0, 3, 1, 2};
    one(PLANES, FLOATS, {true, true, false, clamp, 0, 0, 99, &view}, " two layers");
}
