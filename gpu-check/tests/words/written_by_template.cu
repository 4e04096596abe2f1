// Where the source does not say how large an element is, a report names all bytes that the kernel's line writes.
// says: writes bytes 0 to 7 of `buffer`, and never bytes 8 to 63 of `buffer`
// dice: `buffer`
#include <cstdio>

template <typename T>
__global__ void set(T* buffer)
{
    buffer[threadIdx.x] = 3;
}

int main()
{
    double *buffer, copy[8];
    cudaMalloc(&buffer, sizeof copy);
    set<double><<<1, 1>>>(buffer);
    cudaMemcpy(copy, buffer, sizeof copy, cudaMemcpyDeviceToHost);
    cudaFree(buffer);
}
