// Threads write to a surface and read what others write, with a barrier between the two.
// prints: 63 0
#include <cstdio>

constexpr int N = 64;

__global__ void reverse(cudaSurfaceObject_t surface, int* out)
{
    int i = threadIdx.x;
    // Values of all threads.
    surf2Dwrite(i, surface, i * sizeof(int), 1);
    __syncthreads();
    out[i] = surf2Dread<int>(surface, (N - 1 - i) * sizeof(int), 1);
}

int main()
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&array, &format, N, 2, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) return 1;
    int host[N], *out;
    cudaMalloc(&out, sizeof host);
    reverse<<<1, N>>>(surface, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[N - 1]);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
    cudaFree(out);
}
