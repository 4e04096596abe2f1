// A transpose through a tile in shared memory, with no barrier between its two halves.
// finds: race-shared at 25, 29
#include <cassert>
#include <cstdio>
#include <vector>

#define TILE_DIM 16
#define BLOCK_ROWS 4

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

__global__ void transpose(float* out, const float* in, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
    const int width = 80, height = 48, bytes = width * height * sizeof(float);
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++) in[i] = float(i);

    float *d_in, *d_out;
    checkCuda(cudaMalloc(&d_in, bytes));
    checkCuda(cudaMalloc(&d_out, bytes));
    checkCuda(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
    checkCuda(cudaMemset(d_out, 0, bytes));
    dim3 grid(width / TILE_DIM, height / TILE_DIM), block(TILE_DIM, BLOCK_ROWS);
    transpose<<<grid, block>>>(d_out, d_in, width, height);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));

    int errors = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (out[x * height + y] != in[y * width + x]) errors++;
    printf("transpose %dx%d: %d errors\n", height, width, errors);
    checkCuda(cudaFree(d_in));
    checkCuda(cudaFree(d_out));
}
// other size: height = 48 => height = 64
