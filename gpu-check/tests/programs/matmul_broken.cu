// A tiled matrix product. The second barrier is missing: a fast warp loads the next tile over one that is still read.
// finds: race-shared at 15, 18
// finds: race-shared at 16, 18
#include <cstdio>
#include <vector>

constexpr int TILE = 8;

__global__ void multiply(const float* a, const float* b, float* c, int n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        left[y][x] = a[row * n + t + x];
        right[x][y] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[y][k] * right[x][k];
    }
    c[row * n + column] = sum;
}

int main()
{
    const int n = 32, bytes = n * n * sizeof(float);
    std::vector<float> ones(n * n, 1), out(n * n);
    float *a, *b, *c;
    cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&c, bytes);
    cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
    cudaMemcpy(out.data(), c, bytes, cudaMemcpyDeviceToHost);
    int right = 0;
    for (float value : out) right += value == n;
    printf("%d of %d\n", right, n * n);
}
// other size: n = 32, => n = 48,
