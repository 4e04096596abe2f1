// Tiles of eight threads add up in shared memory. Lane 0 of a tile does not wait for the others.
// finds: race-shared at 27, 30
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

#define CHECK_ERROR(call)                                                                   \
    do {                                                                                    \
        cudaError_t err = call;                                                             \
        if (err != cudaSuccess) {                                                           \
            printf("CUDA error at %d: %s\n", __LINE__, cudaGetErrorString(err));            \
            exit(EXIT_FAILURE);                                                             \
        }                                                                                   \
    } while (0)

constexpr int TILE = 8, THREADS = 64;

__global__ void tile_sums(const int* in, int2* out)
{
    __shared__ int s[THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(block);
    int value = in[blockIdx.x * THREADS + block.thread_rank()];
    s[block.thread_rank()] = value;
    int by_hand = 0;
    if (tile.thread_rank() == 0)
        for (int k = 0; k < TILE; k++) by_hand += s[block.thread_rank() + k];
    int by_library = cg::reduce(tile, value, cg::plus<int>());
    if (tile.thread_rank() == 0)
        out[blockIdx.x * (THREADS / TILE) + tile.meta_group_rank()] = make_int2(by_hand, by_library);
}

int main()
{
    const int blocks = 2, n = blocks * THREADS, tiles = n / TILE;
    int h[n], *in;
    int2 sums[tiles], *out;
    for (int i = 0; i < n; i++) h[i] = i * i % 31;
    CHECK_ERROR(cudaMalloc(&in, sizeof h));
    CHECK_ERROR(cudaMalloc(&out, sizeof sums));
    CHECK_ERROR(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    tile_sums<<<blocks, THREADS>>>(in, out);
    CHECK_ERROR(cudaGetLastError());
    CHECK_ERROR(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    bool equal = true, right = true;
    for (int t = 0; t < tiles; t++) {
        int want = 0;
        for (int k = 0; k < TILE; k++) want += h[t * TILE + k];
        equal = equal && sums[t].x == sums[t].y;
        right = right && sums[t].x == want;
    }
    printf("%d tiles, sums %s and %s\n", tiles, equal ? "equal" : "different", right ? "right" : "wrong");
    CHECK_ERROR(cudaFree(in));
    CHECK_ERROR(cudaFree(out));
}
// other size: blocks = 2 => blocks = 3
