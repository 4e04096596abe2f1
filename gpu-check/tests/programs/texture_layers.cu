// Layers of bytes that are read as fractions: the layer is chosen, never filtered.
// prints: 0.2 0.4 0.6
#include <cstdio>

__global__ void read(cudaTextureObject_t texture, float* out)
{
    out[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 1.5f, threadIdx.x);
}

int main()
{
    unsigned char texels[3][4][4];
    for (int layer = 0; layer < 3; layer++)
        for (int i = 0; i < 16; i++) texels[layer][i / 4][i % 4] = 51 * (layer + 1);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 3), cudaArrayLayered);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, 4, 4, 4);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 4, 3);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeNormalizedFloat;
    description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    float host[3], *out;
    cudaMalloc(&out, sizeof host);
    read<<<1, 3>>>(texture, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%.3g %.3g %.3g\n", host[0], host[1], host[2]);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
