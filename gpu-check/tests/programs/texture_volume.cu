// A volume of 2 by 2 by 2 pairs: its middle is the mean of all eight.
// prints: 3.5 -3.5 7 0
#include <cstdio>

__global__ void read(cudaTextureObject_t texture, float4* out)
{
    float2 middle = tex3D<float2>(texture, 1, 1, 1), last = tex3D<float2>(texture, 1.5f, 1.5f, 1.5f);
    float2 outside = tex3D<float2>(texture, 9, 9, 9);
    *out = make_float4(middle.x, middle.y, last.x, outside.x);
}

int main()
{
    float2 texels[8];
    for (int i = 0; i < 8; i++) texels[i] = make_float2(i, -i);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaExtent extent = make_cudaExtent(2, 2, 2);
    cudaMalloc3DArray(&array, &format, extent);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(float2), 2, 2);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3DAsync(&copy);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    for (auto& mode : description.addressMode) mode = cudaAddressModeBorder;
    description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    float4 host, *out;
    cudaMalloc(&out, sizeof host);
    read<<<1, 1>>>(texture, out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", host.x, host.y, host.z, host.w);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
