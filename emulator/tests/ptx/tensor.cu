// nvcc -arch=sm_80
// Instructions that the emulator refuses must parse all the same: matrices, textures, surfaces.
#include <mma.h>
using namespace nvcuda;

__global__ void product(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    wmma::fill_fragment(z, 0.0f);
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, b, 16);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(c, z, 16, wmma::mem_row_major);
}

__global__ void images(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float4* out) {
    bool resident;
    out[0] = tex2D<float4>(texture, 0.5f, 1.5f, &resident);
    out[1] = tex3D<float4>(texture, 0.5f, out[2].x, 0);
    out[3] = tex1Dfetch<float4>(texture, 3);
    surf2Dwrite(resident ? out[0] : out[1], surface, 16, 2);
}
