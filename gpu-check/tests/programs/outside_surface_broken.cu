// The first coordinate of a surface function counts bytes, and the second rows: here they are the wrong way round.
// finds: out-of-bounds at 8
#include <cstdio>

__global__ void transpose(cudaSurfaceObject_t surface)
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(x + y, surface, y * sizeof(int), x);
}

int main()
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    transpose<<<1, dim3(8, 4)>>>(surface);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
