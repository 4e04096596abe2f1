// A cube map: a direction meets one of six faces. In layers of cubes there are six for each.
// prints: 0 1 2 3 4 5 6 7 8 9 10 11
#include <cstdio>

__device__ const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

__global__ void read(cudaTextureObject_t one, cudaTextureObject_t layers, int* out)
{
    const float* way = directions[threadIdx.x];
    out[threadIdx.x] = texCubemap<int>(one, way[0], way[1], way[2]);
    out[threadIdx.x + 6] = texCubemapLayered<int>(layers, way[0], way[1], way[2], 1);
}

cudaTextureObject_t cubes(cudaArray_t* array, int faces, unsigned flags)
{
    int texels[12 * 4];
    for (int i = 0; i < faces * 4; i++) texels[i] = i / 4;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaExtent extent = make_cudaExtent(2, 2, faces);
    cudaMalloc3DArray(array, &format, extent, flags);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(int), 2, 2);
    copy.dstArray = *array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    cudaTextureDesc description = {};
    description.normalizedCoords = 1;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}

int main()
{
    cudaArray_t arrays[2];
    cudaTextureObject_t one = cubes(&arrays[0], 6, cudaArrayCubemap);
    cudaTextureObject_t layers = cubes(&arrays[1], 12, cudaArrayCubemap | cudaArrayLayered);
    int host[12], *out;
    cudaMalloc(&out, sizeof host);
    read<<<1, 6>>>(one, layers, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int face : host) printf("%d ", face);
    printf("\n");
    cudaDestroyTextureObject(one);
    cudaDestroyTextureObject(layers);
    for (cudaArray_t array : arrays) cudaFreeArray(array);
    cudaFree(out);
}
