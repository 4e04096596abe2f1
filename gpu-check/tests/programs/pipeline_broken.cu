// Blocks copy tiles into shared memory with memcpy_async and use them without waiting for the copy.
// finds: race-shared at 28, 31
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <vector>

#define CHECK(expr)                                                               \
    if (cudaError_t status = (expr)) {                                            \
        printf("%s: %s\n", #expr, cudaGetErrorString(status));                    \
        return 1;                                                                 \
    }

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int TILE = 64;

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void average(const float* in, float* out)
{
    __shared__ float tile[TILE];
    __shared__ barrier bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();

    cuda::memcpy_async(block, tile, in + blockIdx.x * TILE, cuda::aligned_size_t<16>(sizeof tile), bar);
    block.sync();
    int i = threadIdx.x;
    out[blockIdx.x * TILE + i] = (tile[i] + tile[(i + 1) % TILE]) / 2;
}

int main()
{
    const int n = 8 * TILE;
    std::vector<float> h(n), got(n);
    for (int i = 0; i < n; i++) h[i] = i * 0.5f;
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    average<<<n / TILE, TILE>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0; i < n; i++) {
        int base = i / TILE * TILE;
        ok = ok && got[i] == (h[i] + h[base + (i + 1 - base) % TILE]) / 2;
    }
    printf("average filter: %s\n", ok ? "ok" : "WRONG");
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
// other size: n = 8 * TILE => n = 3 * TILE
