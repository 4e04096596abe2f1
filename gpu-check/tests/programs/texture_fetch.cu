// Linear memory as a texture: an index outside it gives zero. Rows with a pitch are read by two coordinates.
// prints: 7 0 0 11
#include <cstdio>

__global__ void read(cudaTextureObject_t line, cudaTextureObject_t plane, int* out)
{
    out[0] = tex1Dfetch<int>(line, 7);
    out[1] = tex1Dfetch<int>(line, 8);
    out[2] = tex1Dfetch<int>(line, -1);
    out[3] = tex2D<int>(plane, 1.5f, 9);
}

int main()
{
    int texels[8], rows[2][2] = {{0, 1}, {10, 11}}, host[4], *memory, *pitched, *out;
    for (int i = 0; i < 8; i++) texels[i] = i;
    size_t pitch;
    cudaMalloc(&memory, sizeof texels);
    cudaMallocPitch(&pitched, &pitch, sizeof rows[0], 2);
    cudaMemcpy(memory, texels, sizeof texels, cudaMemcpyHostToDevice);
    cudaMemcpy2D(pitched, pitch, rows, sizeof rows[0], sizeof rows[0], 2, cudaMemcpyHostToDevice);

    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t line, plane;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof texels;
    if (cudaCreateTextureObject(&line, &resource, &description, nullptr) != cudaSuccess) return 1;
    resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
    resource.res.pitch2D.width = resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = pitch;
    if (cudaCreateTextureObject(&plane, &resource, &description, nullptr) != cudaSuccess) return 2;

    cudaMalloc(&out, sizeof host);
    read<<<1, 1>>>(line, plane, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaDestroyTextureObject(line);
    cudaDestroyTextureObject(plane);
    cudaFree(memory);
    cudaFree(pitched);
    cudaFree(out);
}
