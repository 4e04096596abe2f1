// Gravity among bodies, a tile at a time. A fast warp loads the next tile over one that others still read.
// finds: race-shared at 31, 34
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
    std::printf("%s at line %d\n", cudaGetErrorName(e), __LINE__); std::exit(1); } } while (0)

const int TILE = 64;
const float SOFTENING = 1e-3f;

__host__ __device__ inline void attract(float3& a, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
    float s = other.w * inv * inv * inv;
    a.x += dx * s;
    a.y += dy * s;
    a.z += dz * s;
}

__global__ void accelerations(const float4* bodies, float3* acc, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float3 a = {0, 0, 0};
    for (int t = 0; t < n; t += TILE) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            attract(a, me, tile[k]);
    }
    acc[i] = a;
}

int main()
{
    const int n = 128;
    std::vector<float4> bodies(n);
    std::srand(42);
    auto random = [] { return std::rand() / float(RAND_MAX); };
    for (auto& b : bodies) b = make_float4(random(), random(), random(), 1.0f / n);

    float4* d_bodies;
    float3* d_acc;
    CHECK(cudaMalloc(&d_bodies, n * sizeof(float4)));
    CHECK(cudaMalloc(&d_acc, n * sizeof(float3)));
    CHECK(cudaMemcpy(d_bodies, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    accelerations<<<n / TILE, TILE>>>(d_bodies, d_acc, n);
    CHECK(cudaGetLastError());
    std::vector<float3> acc(n);
    CHECK(cudaMemcpy(acc.data(), d_acc, n * sizeof(float3), cudaMemcpyDeviceToHost));

    float worst = 0;
    for (int i = 0; i < n; i++) {
        float3 a = {0, 0, 0};
        for (int k = 0; k < n; k++) attract(a, bodies[i], bodies[k]);
        worst = std::fmax(worst, std::fabs(a.x - acc[i].x) + std::fabs(a.y - acc[i].y) + std::fabs(a.z - acc[i].z));
    }
    std::printf("%d bodies, %s\n", n, worst < 1e-3f ? "PASS" : "FAIL");
    CHECK(cudaFree(d_bodies));
    CHECK(cudaFree(d_acc));
}
// other size: n = 128 => n = 192
