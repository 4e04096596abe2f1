// A texture of 4 by 2 floats, filtered and wrapped, in an array that the host copies to and from.
// prints: 0.5 1.5 2.5 1.5 5.5 4x2
#include <cstdio>

__global__ void read(cudaTextureObject_t texture, float* out)
{
    out[0] = tex2D<float>(texture, 0.25f, 0.25f);
    out[1] = tex2D<float>(texture, 0.5f, 0.25f);
    out[2] = tex2D<float>(texture, -0.25f, 0.25f);
    out[3] = tex2D<float>(texture, 1.0f, 0.25f);
    out[4] = tex2D<float>(texture, 0.5f, 1.75f);
}

int main()
{
    float texels[8], back[8], host[5], *out;
    for (int i = 0; i < 8; i++) texels[i] = i;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 4, 2);
    cudaMemcpy2DToArray(array, 0, 0, texels, 4 * sizeof(float), 4 * sizeof(float), 2, cudaMemcpyHostToDevice);
    cudaMemcpy2DFromArray(back, 16, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeWrap;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;
    cudaTextureObject_t texture;
    if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess) return 1;

    cudaTextureDesc told;
    cudaResourceDesc of;
    cudaGetTextureObjectTextureDesc(&told, texture);
    cudaGetTextureObjectResourceDesc(&of, texture);
    if (told.filterMode != cudaFilterModeLinear || !told.normalizedCoords || of.res.array.array != array) return 2;

    cudaMalloc(&out, sizeof host);
    read<<<1, 1>>>(texture, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (float value : host) printf("%g ", value);
    cudaExtent extent;
    cudaArrayGetInfo(&format, &extent, nullptr, array);
    printf("%zux%zu\n", extent.width, extent.height);
    if (back[7] != 7 || format.x != 32 || format.f != cudaChannelFormatKindFloat) return 3;
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
