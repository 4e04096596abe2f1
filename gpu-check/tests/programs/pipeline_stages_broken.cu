// A pipeline of two stages. It never waits for a copy: the tile is read, and copied over, too early.
// finds: race-shared at 21, 29
// finds: race-shared at 21, 26
// finds: race-shared at 26, 29
// finds: race-shared at 26
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

const int SIZE = 32, TILES = 8;

__global__ void add_tiles(const int* in, int* out)
{
    __shared__ int stage[2][SIZE];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;

    pipe.producer_acquire();
    cuda::memcpy_async(&stage[0][t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    for (int tile = 0; tile < TILES; tile++) {
        pipe.producer_acquire();
        if (tile + 1 < TILES)
            cuda::memcpy_async(&stage[(tile + 1) % 2][t], &in[(tile + 1) * SIZE + t], sizeof(int), pipe);
        pipe.producer_commit();
        __syncwarp();
        sum += stage[tile % 2][SIZE - 1 - t];
        __syncwarp();
        pipe.consumer_release();
    }
    out[t] = sum;
}

int main()
{
    int h[SIZE * TILES], got[SIZE], *in, *out, sum = 0, want = 0;
    for (int i = 0; i < SIZE * TILES; i++) want += h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    add_tiles<<<1, SIZE>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int value : got) sum += value;
    printf("%d tiles, sum %d, %s\n", TILES, sum, sum == want ? "right" : "wrong");
    cudaFree(in), cudaFree(out);
}
// other size: TILES = 8 => TILES = 5
